package io.fairlead.clustersync.fabric8;

import io.fairlead.clustersync.source.AnswerLimits;
import java.time.Duration;

/**
 * Bounds on what is read from a cluster.
 *
 * @param answers how much
 * @param stallTimeout how long any answer may take to begin, and a short one make no progress while it is waited for
 */
record BodyLimits(AnswerLimits answers, Duration stallTimeout) {
    void reached(String key) {
        answers.reached().accept(key);
    }
}
