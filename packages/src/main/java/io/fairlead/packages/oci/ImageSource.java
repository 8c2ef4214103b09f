package io.fairlead.packages.oci;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/** The source of one image's blobs. The bytes are not verified yet; callers close the streams. */
public interface ImageSource extends Closeable {
    /**
     * What the source leads to: an image, or an index of images.
     *
     * @throws IOException if the source cannot be read; the message is for people
     * @throws UnreadablePackageException if the source is damaged
     */
    Descriptor root() throws IOException;

    /**
     * A manifest or an index.
     *
     * @throws IOException if the source cannot be read; the message is for people
     * @throws UnreadablePackageException if it is not there
     */
    InputStream manifest(Descriptor manifest) throws IOException;

    /**
     * A layer.
     *
     * @throws IOException if the source cannot be read; the message is for people
     * @throws UnreadablePackageException if it is not there
     */
    InputStream blob(Descriptor blob) throws IOException;
}
