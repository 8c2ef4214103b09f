package io.fairlead.packages.oci;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/**
 * A blob on its way in. Nothing that was made of it counts before {@link #finish} has found its size and digest to be those
 * that were promised.
 */
final class VerifiedStream extends InputStream {
    private static final int CHUNK = 64 * 1024;

    private final InputStream in;
    private final Descriptor promised;
    private final long bytesMax;
    private final MessageDigest algorithm = BlobDigest.algorithm();
    private long count;

    private VerifiedStream(InputStream in, Descriptor promised, long bytesMax) {
        this.in = in;
        this.promised = promised;
        this.bytesMax = promised.size() == Descriptor.SIZE_UNKNOWN ? bytesMax : promised.size();
    }

    /** Opens a blob of at most a number of bytes. */
    static VerifiedStream open(Opener opener, Descriptor promised, long bytesMax) throws IOException {
        if (promised.size() > bytesMax) {
            throw new UnreadablePackageException(
                    promised.digest() + ": " + promised.size() + " bytes (expected at most " + bytesMax + ")");
        }
        return new VerifiedStream(opener.open(promised), promised, bytesMax);
    }

    /** The whole content of a blob, verified. */
    static byte[] readAll(Opener opener, Descriptor promised, int bytesMax) throws IOException {
        try (VerifiedStream stream = open(opener, promised, bytesMax)) {
            byte[] content = stream.readNBytes(bytesMax);
            stream.finish();
            return content;
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = in.read(into, offset, length);
        if (read > 0) {
            algorithm.update(into, offset, read);
            count += read;
        }
        if (count > bytesMax) {
            throw new UnreadablePackageException(
                    promised.digest() + ": more bytes than there may be (expected " + expectedSize() + ")");
        }
        return read;
    }

    /** Without this, what unpacks gzip takes the end of a member for the end of the blob. */
    @Override
    public int available() {
        return count < promised.size() ? 1 : 0;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Reads what is left and compares the whole with what was promised. */
    void finish() throws IOException {
        byte[] rest = new byte[CHUNK];
        while (read(rest, 0, rest.length) >= 0) {
            // Reading counts.
        }
        if (promised.size() != Descriptor.SIZE_UNKNOWN && count != promised.size()) {
            throw new UnreadablePackageException(
                    promised.digest() + ": " + count + " bytes (expected " + promised.size() + ")");
        }
        BlobDigest found = BlobDigest.of(algorithm);
        if (!found.equals(promised.digest())) {
            throw new UnreadablePackageException(
                    "a blob's digest is " + found + " (expected " + promised.digest() + ")");
        }
    }

    private String expectedSize() {
        return promised.size() == Descriptor.SIZE_UNKNOWN ? "at most " + bytesMax : String.valueOf(promised.size());
    }

    /** Opens a blob that is not verified yet. */
    interface Opener {
        InputStream open(Descriptor blob) throws IOException;
    }
}
