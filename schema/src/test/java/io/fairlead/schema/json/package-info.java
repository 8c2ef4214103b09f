/** Facts about reading, writing and patching. */
@NullMarked
package io.fairlead.schema.json;

import org.jspecify.annotations.NullMarked;
