/**
 * A byte store in which every write has a revision: one ordered log per store, deletions included, with snapshots of the
 * past back to the compacted revision.
 *
 * <p>Start with {@link io.fairlead.storage.RevisionedStore}, the port; every engine passes the same contract suite.
 * {@link io.fairlead.storage.EmbeddedStore} keeps its files itself: {@code Committer} is the only one that gives out
 * revisions and writes them, {@code FileKeys} says how they lie in the files, {@code Compaction} what may be forgotten.
 *
 * <p>Threads: one writer for each store; readers take no lock that a write could hold.
 */
@NullMarked
package io.fairlead.storage;

import org.jspecify.annotations.NullMarked;
