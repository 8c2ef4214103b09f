/**
 * The commands that people type: picocli reads them, each is one class.
 *
 * <p>Every command but {@code serve} runs on the main thread, talks to a server and ends. Errors are one line on standard
 * error, with a hint where one helps. Start with {@link io.fairlead.cli.Main}, then {@link io.fairlead.cli.FairleadCommand}.
 */
@NullMarked
package io.fairlead.cli;

import org.jspecify.annotations.NullMarked;
