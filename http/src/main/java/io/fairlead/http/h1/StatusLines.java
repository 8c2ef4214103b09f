package io.fairlead.http.h1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fairlead.http.HttpStatus;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The status lines of answers (RFC 9112 section 4), each made once. */
final class StatusLines {
    private static final int STATUS_MAX = 999;
    private static final AtomicReferenceArray<byte[]> LINES = new AtomicReferenceArray<>(STATUS_MAX + 1);

    private StatusLines() {}

    /** The line of a status, with its CR LF; not to be changed. */
    static byte[] of(int status) {
        byte[] known = LINES.get(status);
        if (known != null) {
            return known;
        }
        byte[] line = ("HTTP/1.1 " + status + " " + HttpStatus.reason(status) + "\r\n").getBytes(US_ASCII);
        LINES.set(status, line);
        return line;
    }
}
