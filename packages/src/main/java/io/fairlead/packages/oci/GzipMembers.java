package io.fairlead.packages.oci;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * What gzip has packed, one member after the other (RFC 1952).
 *
 * <p>{@link java.util.zip.GZIPInputStream} takes whatever follows a member and is none for the end; here it is a {@link
 * ZipException}, as all other damage is.
 */
final class GzipMembers extends InputStream {
    private static final int CHUNK = 8 * 1024;
    private static final int MAGIC = 0x8B1F;
    private static final int DEFLATE = 8;
    private static final long LENGTH_BITS = 0xFFFF_FFFFL;
    private static final int HAS_CHECKSUM = 1 << 1;
    private static final int HAS_EXTRA = 1 << 2;
    private static final int HAS_NAME = 1 << 3;
    private static final int HAS_COMMENT = 1 << 4;

    private final PushbackInputStream packed;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final byte[] chunk = new byte[CHUNK];
    private int chunkLength;
    private State state = State.FIRST;

    private enum State {
        /** No member has begun. */
        FIRST,
        WITHIN,
        /** A member has ended; another one may follow. */
        BETWEEN,
        END
    }

    GzipMembers(InputStream packed) {
        this.packed = new PushbackInputStream(packed, CHUNK);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (state != State.END) {
            if (state != State.WITHIN) {
                begin();
                continue;
            }
            int count = inflated(into, offset, length);
            if (count > 0) {
                checksum.update(into, offset, count);
                return count;
            }
            if (inflater.finished()) {
                end();
            } else {
                fill();
            }
        }
        return -1;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        packed.close();
    }

    private int inflated(byte[] into, int offset, int length) throws ZipException {
        try {
            int count = inflater.inflate(into, offset, length);
            if (inflater.needsDictionary()) {
                throw new ZipException("damaged gzip data: they need a dictionary");
            }
            return count;
        } catch (DataFormatException e) {
            throw new ZipException("damaged gzip data: " + e.getMessage());
        }
    }

    private void fill() throws IOException {
        chunkLength = packed.read(chunk, 0, chunk.length);
        if (chunkLength < 0) {
            throw new ZipException("it ends within the gzip data");
        }
        inflater.setInput(chunk, 0, chunkLength);
    }

    /** Reads the header of a member, if there is one more. */
    private void begin() throws IOException {
        int first = packed.read();
        if (first < 0 && state == State.BETWEEN) {
            state = State.END;
            return;
        }
        packed.unread(first < 0 ? new byte[0] : new byte[] {(byte) first});
        checksum.reset();
        int magic = ofHeader(2);
        if (magic != MAGIC) {
            throw new ZipException(
                    state == State.FIRST
                            ? "no gzip data (expected them to begin with 1f 8b)"
                            : "something else follows the gzip data (expected their end)");
        }
        int method = ofHeader(1);
        if (method != DEFLATE) {
            throw new ZipException(
                    "gzip data of compression method " + method + " (expected " + DEFLATE + ", deflate)");
        }
        passRestOfHeader(ofHeader(1));
        inflater.reset();
        checksum.reset();
        state = State.WITHIN;
    }

    private void passRestOfHeader(int flags) throws IOException {
        ofHeader(4); // when it was packed
        ofHeader(2); // how well, and where
        if ((flags & HAS_EXTRA) != 0) {
            for (int left = ofHeader(2); left > 0; left--) {
                ofHeader(1);
            }
        }
        for (int flag : new int[] {HAS_NAME, HAS_COMMENT}) {
            while ((flags & flag) != 0 && ofHeader(1) != 0) {
                // A text ends with a NUL.
            }
        }
        int expected = (int) checksum.getValue() & 0xFFFF;
        if ((flags & HAS_CHECKSUM) != 0 && ofHeader(2) != expected) {
            throw new ZipException("damaged gzip data: the checksum of the header is wrong");
        }
    }

    /** Compares what was unpacked with what the member's trailer says of it. */
    private void end() throws IOException {
        int unread = inflater.getRemaining();
        packed.unread(chunk, chunkLength - unread, unread);
        int foundChecksum = (int) checksum.getValue();
        int expectedChecksum = number(4, "trailer");
        long expectedLength = Integer.toUnsignedLong(number(4, "trailer"));
        if (foundChecksum != expectedChecksum) {
            throw new ZipException("damaged gzip data: the checksum is %08x (expected %08x)"
                    .formatted(foundChecksum, expectedChecksum));
        }
        if ((inflater.getBytesWritten() & LENGTH_BITS) != expectedLength) {
            throw new ZipException(
                    "damaged gzip data: " + inflater.getBytesWritten() + " bytes (expected " + expectedLength + ")");
        }
        state = State.BETWEEN;
    }

    private int ofHeader(int bytes) throws IOException {
        return number(bytes, "header");
    }

    /** A number of at most four bytes, the lowest first. */
    private int number(int bytes, String part) throws IOException {
        int number = 0;
        for (int i = 0; i < bytes; i++) {
            int b = packed.read();
            if (b < 0) {
                throw new ZipException("it ends within the gzip " + part);
            }
            checksum.update(b);
            number |= b << (8 * i);
        }
        return number;
    }
}
