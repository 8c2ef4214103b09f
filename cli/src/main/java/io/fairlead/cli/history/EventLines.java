package io.fairlead.cli.history;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The lines of a recorded watch, which end with a line feed and are counted from 1. */
final class EventLines {
    /** Larger than any object: etcd takes requests of 1.5 MiB, kube-apiserver of 3 MiB. */
    static final int LINE_BYTES_MAX = 8 * 1024 * 1024;

    private static final int BUFFER_BYTES = 64 * 1024;

    private final InputStream input;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int at;
    private int end;
    private long number;

    EventLines(InputStream input) {
        this.input = input;
    }

    /** The number of the line that was read last, or is being read. */
    long number() {
        return number;
    }

    /**
     * The next line that holds more than white space, or null after the last one.
     *
     * @throws IOException also if a line is too long
     */
    byte @Nullable [] next() throws IOException {
        while (read()) {
            byte[] text = line.toByteArray();
            if (!isBlank(text)) {
                return text;
            }
        }
        return null;
    }

    /** Reads up to a line feed or the end; false if nothing was left. */
    private boolean read() throws IOException {
        line.reset();
        if (isAtEnd()) {
            return false;
        }
        number++;
        while (!isAtEnd()) {
            int feed = lineFeed();
            append(feed);
            at = Math.min(feed + 1, end);
            if (feed < end) {
                break;
            }
        }
        return true;
    }

    private boolean isAtEnd() throws IOException {
        if (at == end) {
            at = 0;
            end = Math.max(input.read(buffer), 0);
        }
        return end == 0;
    }

    /** Where the next line feed is in the buffer, or the buffer's end. */
    private int lineFeed() {
        int feed = at;
        while (feed < end && buffer[feed] != '\n') {
            feed++;
        }
        return feed;
    }

    private void append(int to) throws IOException {
        if (line.size() + to - at > LINE_BYTES_MAX) {
            throw new IOException(
                    "line " + number + ": more than " + LINE_BYTES_MAX + " bytes (expected at most as many)");
        }
        line.write(buffer, at, to - at);
    }

    private static boolean isBlank(byte[] text) {
        for (byte b : text) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }
}
