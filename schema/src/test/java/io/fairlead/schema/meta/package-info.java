/** Facts about the metadata of objects. */
@NullMarked
package io.fairlead.schema.meta;

import org.jspecify.annotations.NullMarked;
