/**
 * Archives: what a hosted cluster, or a whole store, has at one revision, as a file that is kept elsewhere.
 *
 * <p>Lines of JSON (RFC 8259), each ended by a line feed: one {@link io.fairlead.hosted.archive.ArchiveHeader}, one for each
 * entry, and a last one with their number and the SHA-256 of all lines before it.
 *
 * <p>Threads: one for each archive that is written or read. Start with {@link io.fairlead.hosted.archive.ArchiveReader}.
 */
@NullMarked
package io.fairlead.hosted.archive;

import org.jspecify.annotations.NullMarked;
