@NullMarked
package io.fairlead.schema.xpkg;

import org.jspecify.annotations.NullMarked;
