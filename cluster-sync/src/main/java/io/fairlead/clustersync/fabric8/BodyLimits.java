package io.fairlead.clustersync.fabric8;

import java.time.Duration;

/**
 * Bounds on what is read from a cluster.
 *
 * @param answerBytesMax the body of one answer: one page of a list
 * @param eventBytesMax one line of a watch
 * @param stallTimeout how long any answer may take to begin, and a short one make no progress while it is waited for
 */
record BodyLimits(long answerBytesMax, int eventBytesMax, Duration stallTimeout) {
    static final BodyLimits DEFAULT = new BodyLimits(256L << 20, 8 << 20, Duration.ofSeconds(30));

    BodyLimits withStallTimeout(Duration timeout) {
        return new BodyLimits(answerBytesMax, eventBytesMax, timeout);
    }
}
