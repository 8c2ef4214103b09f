package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What the first requests after a start cost, beside what the same load costs the same process once it costs the same
 * again and again.
 *
 * @param cold CPU microseconds for each of the first requests
 * @param steady those for each request of the last loads
 */
record ColdRequests(double cold, double steady) {
    /** How many are the first. */
    static final int FIRST = 20_000;

    private static final int STEADY_LOADS = 3;
    private static final double STEADY_RATIO = 1.05;
    private static final int LOADS_MAX = 20;

    /** A load that is over when all of its requests are answered. */
    @FunctionalInterface
    interface Requests {
        void send(Contestant contestant, int count) throws IOException, InterruptedException;
    }

    /**
     * Restarts the contestant and measures it.
     *
     * @param loads after the first, at most
     */
    static ColdRequests measure(Arena arena, String role, int count, int loads, Requests requests)
            throws IOException, InterruptedException {
        Contestant started = arena.restart(arena.get(role));
        double cold = cpu(started, count, requests);
        List<Double> last = new ArrayList<>();
        for (int i = 0; i < Math.min(loads, LOADS_MAX) && !isSteady(last); i++) {
            last.add(cpu(started, count, requests));
            if (last.size() > STEADY_LOADS) {
                last.removeFirst();
            }
        }
        return new ColdRequests(cold, Rounds.median(last));
    }

    double ratio() {
        return cold / steady;
    }

    private static boolean isSteady(List<Double> last) {
        return last.size() == STEADY_LOADS && Collections.max(last) <= STEADY_RATIO * Collections.min(last);
    }

    private static double cpu(Contestant contestant, int count, Requests requests)
            throws IOException, InterruptedException {
        double before = contestant.cpuMicros();
        requests.send(contestant, count);
        return (contestant.cpuMicros() - before) / count;
    }
}
