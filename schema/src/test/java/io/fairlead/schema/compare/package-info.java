/** Tests of the comparison of types. */
@NullMarked
package io.fairlead.schema.compare;

import org.jspecify.annotations.NullMarked;
