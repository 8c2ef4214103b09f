@NullMarked
package io.fairlead.packages.oci;

import org.jspecify.annotations.NullMarked;
