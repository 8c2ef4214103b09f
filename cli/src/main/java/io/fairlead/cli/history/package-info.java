/**
 * {@code history}: when a cluster was Ready, what was observed of conditions, and whether recorded
 * watches go back in time.
 *
 * <p>The main thread. Start with {@link io.fairlead.cli.history.HistoryCommand}.
 */
@NullMarked
package io.fairlead.cli.history;

import org.jspecify.annotations.NullMarked;
