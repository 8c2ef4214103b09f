/**
 * A byte store in which every write has a revision: one ordered log per store, deletions included, with snapshots of the
 * past back to the compacted revision.
 *
 * <p>Start with {@link io.fairlead.storage.RevisionedStore}, the port; every engine passes the same contract suite.
 */
@NullMarked
package io.fairlead.storage;

import org.jspecify.annotations.NullMarked;
