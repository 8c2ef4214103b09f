package io.fairlead.packages.oci;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** What is left of the limits of one reading. */
final class ReadingBudget {
    private final PackageLimits limits;
    private long unpackedBytes;
    private long packageFileBytes;
    private int entries;

    ReadingBudget(PackageLimits limits) {
        this.limits = limits;
    }

    PackageLimits limits() {
        return limits;
    }

    void takeEntry() {
        if (++entries > limits.entriesMax()) {
            throw new UnreadablePackageException("the archives have more than " + limits.entriesMax() + " entries");
        }
    }

    void takePackageFile(String path, long bytes) {
        packageFileBytes += bytes;
        if (packageFileBytes > limits.packageFileBytesMax()) {
            throw new UnreadablePackageException(
                    path + ": " + bytes + " bytes (expected at most " + limits.packageFileBytesMax() + ")");
        }
    }

    /** A stream of unpacked bytes, all of which are counted. */
    InputStream metered(InputStream unpacked) {
        return new FilterInputStream(unpacked) {
            @Override
            public int read() throws IOException {
                int b = super.read();
                takeUnpacked(b < 0 ? 0 : 1);
                return b;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int count = super.read(into, offset, length);
                takeUnpacked(Math.max(0, count));
                return count;
            }

            @Override
            public long skip(long count) throws IOException {
                long skipped = super.skip(count);
                takeUnpacked(skipped);
                return skipped;
            }
        };
    }

    private void takeUnpacked(long bytes) {
        unpackedBytes += bytes;
        if (unpackedBytes > limits.unpackedBytesMax()) {
            throw new UnreadablePackageException(
                    "the layers are more than " + limits.unpackedBytesMax() + " bytes when they are unpacked");
        }
    }
}
