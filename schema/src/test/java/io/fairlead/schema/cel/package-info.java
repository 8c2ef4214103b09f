/** What expressions are, cost and give. */
@NullMarked
package io.fairlead.schema.cel;

import org.jspecify.annotations.NullMarked;
