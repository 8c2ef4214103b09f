/**
 * Conflicts: several holders of what at most one may have, and which of them stays. Claims and a policy in, a standing
 * for each holder out; the same from any order of events, from a full scan and after a restart.
 *
 * <p>Values and pure functions, but for the table, which has one writer. Start with {@link
 * io.fairlead.index.conflicts.Contest}.
 */
@NullMarked
package io.fairlead.index.conflicts;

import org.jspecify.annotations.NullMarked;
