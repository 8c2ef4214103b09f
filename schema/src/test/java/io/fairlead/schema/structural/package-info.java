/** Facts about what schemas do to objects. */
@NullMarked
package io.fairlead.schema.structural;

import org.jspecify.annotations.NullMarked;
