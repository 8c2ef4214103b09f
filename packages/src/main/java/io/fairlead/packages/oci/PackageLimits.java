package io.fairlead.packages.oci;

import java.io.IOException;
import java.io.InputStream;

/**
 * How much is read of one package; what has more is refused.
 *
 * @param manifestBytesMax of one manifest or index, and of one extended header of an archive
 * @param blobBytesMax of one layer as it is stored
 * @param unpackedBytesMax of all layers that are read, unpacked
 * @param packageFileBytesMax of {@code package.yaml}
 * @param entriesMax of all archives that are read
 * @param pathDepthMax of an entry's path, in names
 * @param layersMax of one image; Crossplane allows as many
 * @param manifestsMax of one index
 */
public record PackageLimits(
        int manifestBytesMax,
        long blobBytesMax,
        long unpackedBytesMax,
        int packageFileBytesMax,
        int entriesMax,
        int pathDepthMax,
        int layersMax,
        int manifestsMax) {
    private static final int MEBIBYTE = 1024 * 1024;

    /** Room for the largest providers that are known, with their controllers. */
    public static final PackageLimits DEFAULT =
            new PackageLimits(4 * MEBIBYTE, 1024L * MEBIBYTE, 4096L * MEBIBYTE, 64 * MEBIBYTE, 200_000, 128, 256, 64);

    /** Reads a file that is about as long as a manifest, and closes it. */
    byte[] readManifest(InputStream file, String path) throws IOException {
        try (file) {
            byte[] content = file.readNBytes(manifestBytesMax + 1);
            if (content.length > manifestBytesMax) {
                throw new UnreadablePackageException(
                        path + ": more bytes than there may be (expected at most " + manifestBytesMax + ")");
            }
            return content;
        }
    }
}
