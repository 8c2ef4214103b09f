/** Facts about the text of field errors. */
@NullMarked
package io.fairlead.schema.field;

import org.jspecify.annotations.NullMarked;
