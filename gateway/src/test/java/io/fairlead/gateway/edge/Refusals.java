package io.fairlead.gateway.edge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/** How long requests take until they are answered, by the name that they are for. */
final class Refusals {
    private static final int EACH = 400;

    /** Until the code is compiled that is measured. */
    private static final int WARM = 300;

    private final Map<String, List<Long>> nanos = new HashMap<>();

    private Refusals() {}

    /**
     * Sends requests for all names in turn, each round in another order.
     *
     * @param request of a name
     */
    static Refusals of(RawClient client, List<String> names, long seed, UnaryOperator<String> request)
            throws IOException {
        Refusals times = new Refusals();
        List<String> round = new ArrayList<>(names);
        Random random = new Random(seed);
        for (int i = 0; i < WARM + EACH; i++) {
            Collections.shuffle(round, random);
            for (String name : round) {
                String text = request.apply(name);
                long began = System.nanoTime();
                client.send(text);
                client.answer(false);
                long took = System.nanoTime() - began;
                if (i >= WARM) {
                    times.nanos.computeIfAbsent(name, _ -> new ArrayList<>()).add(took);
                }
            }
        }
        return times;
    }

    /** The share of all pairs of answers in which that for the one name was the quicker (Mann and Whitney's U). */
    double quicker(String one, String other) {
        List<Long> mine = nanos.getOrDefault(one, List.of());
        List<Long> theirs = nanos.getOrDefault(other, List.of());
        long quicker = 0;
        for (long first : mine) {
            quicker += theirs.stream().filter(second -> first < second).count();
        }
        return (double) quicker / mine.size() / theirs.size();
    }
}
