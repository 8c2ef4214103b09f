package io.fairlead.index.history;

/**
 * What is known of a cluster's histories, to be kept across restarts.
 *
 * @param epoch counts them, from 1
 * @param rewound the rewinds between them
 */
public record KnownHistory(long epoch, RewoundRevisions rewound) {
    /** Of a cluster that was never seen before. */
    public static final KnownHistory NONE = new KnownHistory(1, RewoundRevisions.NONE);

    public KnownHistory {
        if (epoch < 1) {
            throw new IllegalArgumentException("epoch: " + epoch + " (expected at least 1)");
        }
    }
}
