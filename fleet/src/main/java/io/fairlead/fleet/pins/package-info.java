/**
 * The kind {@code TypePin} and its controller: the pins in force, their status, and events when a type drifts.
 *
 * <p>One thread, {@code type-pins}; requests read an immutable set. Start with {@link io.fairlead.fleet.pins.TypePins}.
 */
@NullMarked
package io.fairlead.fleet.pins;

import org.jspecify.annotations.NullMarked;
