/**
 * Images in registries, by digest (OCI distribution specification 1.1). Only commands use it.
 *
 * <p>Blocks; one image is one thread's. A registry is trusted with nothing: the reader verifies what it gives, it has limited
 * time, and credentials go to no other host when it redirects. Start with {@link
 * io.fairlead.packages.registry.RegistryImage}.
 */
@NullMarked
package io.fairlead.packages.registry;

import org.jspecify.annotations.NullMarked;
