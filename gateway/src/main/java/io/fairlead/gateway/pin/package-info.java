/**
 * Checks a cluster's type against a request's digest and {@code TypePin} objects, after the request is routed and
 * before it is handled.
 *
 * <p>Threads: checks run on event loops and virtual threads, and never wait; pins are an immutable snapshot that is
 * replaced whole. Start with {@link io.fairlead.gateway.pin.PinCheck}.
 */
@NullMarked
package io.fairlead.gateway.pin;

import org.jspecify.annotations.NullMarked;
