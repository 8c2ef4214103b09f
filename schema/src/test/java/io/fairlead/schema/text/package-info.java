/** Tests of formats and regular expressions. */
@NullMarked
package io.fairlead.schema.text;

import org.jspecify.annotations.NullMarked;
