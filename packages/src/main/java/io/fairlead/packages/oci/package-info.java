/**
 * Crossplane packages: what a package in an OCI image says about itself and which types it brings.
 *
 * <p>Pure reading: nothing of a package is executed or written anywhere, every blob is verified against its digest and size
 * before anything of it counts, and {@link io.fairlead.packages.oci.PackageLimits} bounds what is read. Signatures are not
 * verified. Sources: Crossplane's {@code contributing/specifications/xpkg.md} and the OCI image specification 1.1.
 *
 * <p>One reading is one thread's. Start with {@link io.fairlead.packages.oci.PackageReader}.
 */
@NullMarked
package io.fairlead.packages.oci;

import org.jspecify.annotations.NullMarked;
