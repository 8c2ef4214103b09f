@NullMarked
package io.fairlead.schema.typed;

import org.jspecify.annotations.NullMarked;
