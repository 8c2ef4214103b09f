/**
 * {@code types}: comparing, locking and verifying types of clusters, files and packages.
 *
 * <p>The main thread. Start with {@link io.fairlead.cli.types.TypesCommand}.
 */
@NullMarked
package io.fairlead.cli.types;

import org.jspecify.annotations.NullMarked;
