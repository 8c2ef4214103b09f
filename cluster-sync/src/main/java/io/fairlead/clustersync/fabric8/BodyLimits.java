package io.fairlead.clustersync.fabric8;

import io.fairlead.clustersync.source.AnswerLimits;
import java.time.Duration;

/**
 * Bounds on answers of a cluster.
 *
 * @param answers their size
 * @param stallTimeout how long any answer may take to begin, and a short one may make no progress
 * @param watchPace of all watches of the cluster
 */
record BodyLimits(AnswerLimits answers, Duration stallTimeout, WatchPace watchPace) {
    void reached(String key) {
        answers.reached().accept(key);
    }
}
