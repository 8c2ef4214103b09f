/**
 * What commands print: tables, YAML and JSON, ages.
 *
 * <p>Values; the main thread. Start with {@link io.fairlead.cli.print.Rendering}.
 */
@NullMarked
package io.fairlead.cli.print;

import org.jspecify.annotations.NullMarked;
