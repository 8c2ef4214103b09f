/** What functions give, cost and refuse. */
@NullMarked
package io.fairlead.schema.cel.library;

import org.jspecify.annotations.NullMarked;
