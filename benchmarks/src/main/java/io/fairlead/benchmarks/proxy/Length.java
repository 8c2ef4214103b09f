package io.fairlead.benchmarks.proxy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * How long to measure.
 *
 * @param yardsticks beside which each figure is taken, at most
 * @param rounds of each figure
 * @param seconds of each load
 * @param warmUpSeconds of each load of a JVM before its first figure, until it costs what the two before it did
 * @param warmUpsMax after which it is measured, whatever it costs; a machine with much else to do needs them
 * @param handshakes in one of the batches of a round
 * @param watches that are open at once
 * @param typeChanges of an attached cluster
 * @param starts of the gateway; if none, what needs processes that were just started is measured in those that run
 */
public record Length(
        int yardsticks,
        int rounds,
        int seconds,
        int warmUpSeconds,
        int warmUpsMax,
        int handshakes,
        int watches,
        int typeChanges,
        int starts) {
    /** As reports are made; about 25 minutes, with {@link ProxyReport#writeWatches} nine. */
    public static final Length FULL = new Length(3, 5, 3, 3, 15, 250, 1_000, 1_000, 10);

    /** What a request costs, beside HAProxy alone; under three minutes with {@link ProxyReport#writeCosts}. */
    public static final Length QUICK = new Length(2, 3, 2, 2, 8, 50, 0, 0, 0);

    /** Starts and first requests; some minutes, with {@link ProxyReport#writeCold}. */
    public static final Length COLD = new Length(0, 3, 0, 0, 0, 0, 0, 0, 12);

    /** Seconds, to see that everything still runs. */
    static final Length SMOKE = new Length(1, 1, 1, 0, 0, 5, 20, 5, 0);

    /** Each row of any length is done in half of it, on a machine that does nothing else. */
    static final Duration ROW_MAX = Duration.ofMinutes(8);

    private static final int STEADY_LOADS = 3;
    private static final double STEADY_RATIO = 1.05;

    /** Makes a load until three in a row cost the same, or there were many; {@code load} answers what it cost. */
    void warmUp(Callable<Double> load) throws Exception {
        List<Double> last = new ArrayList<>();
        for (int i = 0; i < warmUpsMax; i++) {
            last.add(load.call());
            if (last.size() > STEADY_LOADS) {
                last.removeFirst();
            }
            if (last.size() == STEADY_LOADS && Collections.max(last) <= STEADY_RATIO * Collections.min(last)) {
                return;
            }
        }
    }
}
