/**
 * The root cluster from within: its objects as plain calls and watches, and the common parts of all kinds of
 * {@code fairlead.io}.
 *
 * <p>Calls block; any thread. Start with {@link io.fairlead.fleet.root.RootApi}.
 */
@NullMarked
package io.fairlead.fleet.root;

import org.jspecify.annotations.NullMarked;
