/**
 * What an object may be: its JSON, its schema, the rules of its metadata, and the errors that say so.
 *
 * <p>Pure functions on trees: no I/O and no shared mutable state. A tree belongs to one thread at a time; functions say
 * whether they change the tree they are given. Start with {@link io.fairlead.schema.json.Json}.
 */
@NullMarked
package io.fairlead.schema;

import org.jspecify.annotations.NullMarked;
