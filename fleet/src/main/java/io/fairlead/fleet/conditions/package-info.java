/**
 * The kind {@code ConditionRecord} and its controller: what is observed of conditions of objects, kept beside what the
 * objects state.
 *
 * <p>Threads: one of the controller; what is observed comes on those of informers. Start with {@link
 * io.fairlead.fleet.conditions.ConditionRecords}.
 */
@NullMarked
package io.fairlead.fleet.conditions;

import org.jspecify.annotations.NullMarked;
