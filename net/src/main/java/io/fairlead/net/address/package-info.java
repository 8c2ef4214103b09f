/**
 * Which addresses may be connected to, and how names become addresses.
 *
 * <p>Threads: any. Start with {@link io.fairlead.net.address.AddressPolicy}.
 */
@NullMarked
package io.fairlead.net.address;

import org.jspecify.annotations.NullMarked;
