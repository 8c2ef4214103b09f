package io.fairlead.packages.oci;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The files of an image layout, in a directory or in an archive. */
interface LayoutFiles extends Closeable {
    /** A file's content, empty if there is no such file. The path has slashes and no leading one. */
    Optional<InputStream> open(String path) throws IOException;
}
