/**
 * The garbage collector of a cluster: deletes what lost its owners, and does what deletions ask for about dependents.
 *
 * <p>One queue of keys and at most one virtual thread per cluster; the graph holds only objects that have owners. Start
 * with {@link io.fairlead.hosted.collect.GarbageCollector}.
 */
@NullMarked
package io.fairlead.hosted.collect;

import org.jspecify.annotations.NullMarked;
