/**
 * The permitted destination addresses, and the resolution of names.
 *
 * <p>Threads: any. Start with {@link io.fairlead.net.address.AddressPolicy}.
 */
@NullMarked
package io.fairlead.net.address;

import org.jspecify.annotations.NullMarked;
