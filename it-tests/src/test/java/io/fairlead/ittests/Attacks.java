package io.fairlead.ittests;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The attacks in two doses, and in pairs. */
final class Attacks {
    private static final int LARGE_BYTES = 900_000;
    private static final int BODY_BYTES = 1 << 20;

    /** So small that lists of them find room, and so large that none of them fits what a connection holds. */
    private static final int SMALL_BYTES = 60_000;

    private Attacks() {}

    /** So little of each that a machine with two busy processors goes on serving others within a second. */
    static List<Attack> few() {
        return List.of(
                new UnfinishedHeads(150),
                new IdleConnections(300),
                new EarlyBodies(6),
                new UnfinishedBodies(60, BODY_BYTES - 1_000),
                new UnfinishedBodies(60, 10),
                new HostilePatterns(1),
                new HostileClusters(6),
                new UnlimitedLists(12, 15, LARGE_BYTES),
                new LargeDefinitions(6, 300_000),
                new WatchCrowd(60, 15, LARGE_BYTES),
                new LargeUpdates(60, 10, LARGE_BYTES),
                new CrowdedObject(40, 30_000),
                new RapidResets(2),
                new WaitingReviews(8),
                new HalfProbes(100));
    }

    /** As much as is promised. */
    static List<Attack> many() {
        return List.of(
                new UnfinishedHeads(9_000),
                new IdleConnections(9_000),
                new EarlyBodies(24),
                new UnfinishedBodies(400, BODY_BYTES - 1_000),
                new UnfinishedBodies(400, 10),
                new HostilePatterns(4),
                new HostileClusters(24),
                new UnlimitedLists(50, 200, LARGE_BYTES),
                new LargeDefinitions(120, 700_000),
                new WatchCrowd(500, 25, LARGE_BYTES),
                new LargeUpdates(1_000, 10, LARGE_BYTES),
                new CrowdedObject(190, 180_000),
                new RapidResets(16),
                new WaitingReviews(60),
                new HalfProbes(500));
    }

    /**
     * The overloads that are promised to be endured, each at its size. A caller who leaves many requests at once is refused for a while:
     * so the callers of one are not those of the next.
     */
    static List<Attack> overloads() {
        return List.of(
                new IdleConnections(10_000),
                new SlowReaders(200, 15, SMALL_BYTES),
                new UnfinishedBodies(400, 10),
                new RapidResets(16),
                new HandshakeFlood(64),
                new QuietWatches(5_000));
    }

    /** Every two of them, in an order that a seed determines. */
    static List<List<Attack>> pairs(List<Attack> attacks, long seed) {
        var pairs = new ArrayList<List<Attack>>();
        for (int first = 0; first < attacks.size(); first++) {
            for (int second = first + 1; second < attacks.size(); second++) {
                pairs.add(List.of(attacks.get(first), attacks.get(second)));
            }
        }
        Collections.shuffle(pairs, new Random(seed));
        return pairs;
    }
}
