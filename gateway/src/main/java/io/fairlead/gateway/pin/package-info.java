/**
 * Whether a type means in a cluster what a request or a {@code TypePin} says it does; asked after a request is routed and
 * before it is handled.
 *
 * <p>Threads: requests ask on event loops and virtual threads, and never wait; pins are an immutable snapshot that is replaced
 * whole. Start with {@link io.fairlead.gateway.pin.PinCheck}.
 */
@NullMarked
package io.fairlead.gateway.pin;

import org.jspecify.annotations.NullMarked;
