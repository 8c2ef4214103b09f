/**
 * {@code store}: keeping all that a server has stored elsewhere, and bringing it back.
 *
 * <p>Start with {@link io.fairlead.cli.store.StoreCommand}.
 */
@NullMarked
package io.fairlead.cli.store;

import org.jspecify.annotations.NullMarked;
