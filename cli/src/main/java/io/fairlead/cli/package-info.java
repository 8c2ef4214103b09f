/**
 * The commands, parsed by picocli, one class each.
 *
 * <p>Every command except {@code serve} runs on the main thread, sends requests to a server and ends. Errors are one
 * line on standard error, with a hint where possible. Start with {@link io.fairlead.cli.Main}, then
 * {@link io.fairlead.cli.FairleadCommand}.
 */
@NullMarked
package io.fairlead.cli;

import org.jspecify.annotations.NullMarked;
