/** What values are made of. */
@NullMarked
package io.fairlead.schema.cel.value;

import org.jspecify.annotations.NullMarked;
