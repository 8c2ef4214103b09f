package io.fairlead.packages.oci;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A tar archive with an image in it: an image layout, or what {@code docker save} and {@code crossplane xpkg build} write. */
public final class ImageArchive {
    private ImageArchive() {}

    /**
     * Opens an archive. Closing the image closes it.
     *
     * @param chosen the selected manifest or index, null if the archive has only one
     * @throws IOException if the file cannot be read
     * @throws UnreadablePackageException if it is not an archive of either form
     */
    public static ImageSource open(Path path, PackageLimits limits, @Nullable BlobDigest chosen) throws IOException {
        LayoutFiles files = LayoutArchive.open(path, limits);
        try {
            if (chosen == null && !has(files, ImageLayout.MARKER) && has(files, SavedImage.MANIFEST)) {
                return SavedImage.of(files, limits);
            }
            return ImageLayout.of(files, limits, chosen);
        } catch (IOException | RuntimeException failure) {
            files.close();
            throw failure;
        }
    }

    private static boolean has(LayoutFiles files, String path) throws IOException {
        try (InputStream file = files.open(path).orElse(null)) {
            return file != null;
        }
    }
}
