/**
 * JSON and YAML as Kubernetes reads and writes them, and the two patches that need no schema.
 *
 * <p>Trees are Jackson's, with one difference: every integer is an int64 ({@code LongNode}) and every other number a
 * {@code DoubleNode}, so that equal numbers are equal nodes. Make nodes with {@link io.fairlead.schema.json.Json#object()}
 * and {@link io.fairlead.schema.json.Json#array()} to keep that. Everything here is safe for any thread as long as a tree
 * is used by one.
 */
@NullMarked
package io.fairlead.schema.json;

import org.jspecify.annotations.NullMarked;
