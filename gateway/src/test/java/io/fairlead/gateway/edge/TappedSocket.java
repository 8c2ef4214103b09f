package io.fairlead.gateway.edge;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** A TCP connection beneath TLS that knows whether the peer said that it ends, which the JDK's sockets do not tell. */
final class TappedSocket extends Socket {
    private static final int HEADER_BYTES = 5;

    /** The most that an alert of TLS 1.3 takes: level, description, inner type, some padding and the cipher's tag. */
    private static final int ALERT_BYTES_MAX = 2 + 1 + 16 + 16;

    private int inHeader;
    private int length;
    private int missing;

    /** Whether the last record that was read can only be an alert, where all data come in longer pieces. */
    synchronized boolean wasEndSaid() {
        return missing == 0 && inHeader == 0 && length > 0 && length <= ALERT_BYTES_MAX;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new Tap(super.getInputStream());
    }

    private synchronized void pass(byte b) {
        if (missing > 0) {
            missing--;
            return;
        }
        length = inHeader < HEADER_BYTES - 2 ? 0 : (length << 8) | (b & 0xff);
        inHeader++;
        if (inHeader == HEADER_BYTES) {
            missing = length;
            inHeader = 0;
        }
    }

    private final class Tap extends FilterInputStream {
        Tap(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            if (b >= 0) {
                pass((byte) b);
            }
            return b;
        }

        @Override
        public int read(byte[] bytes, int start, int count) throws IOException {
            int read = super.read(bytes, start, count);
            for (int i = 0; i < read; i++) {
                pass(bytes[start + i]);
            }
            return read;
        }
    }
}
