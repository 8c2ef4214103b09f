/**
 * {@code history}: whether watches go back in time, judged by their recordings.
 *
 * <p>The main thread. Start with {@link io.fairlead.cli.history.HistoryCommand}.
 */
@NullMarked
package io.fairlead.cli.history;

import org.jspecify.annotations.NullMarked;
