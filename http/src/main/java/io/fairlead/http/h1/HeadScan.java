package io.fairlead.http.h1;

import io.fairlead.http.HeadLimits;
import io.fairlead.http.Malformed;
import io.fairlead.http.Rule;
import io.netty.buffer.ByteBuf;

/** Looks for the end of a request's head as its bytes come, reading none of them twice. */
final class HeadScan {
    private static final int REQUEST_LINE_REST_BYTES_MAX = 64;

    private final HeadLimits limits;
    private int scanned;
    private int lineStart;
    private boolean isEmptyLineSkipped;

    HeadScan(HeadLimits limits) {
        this.limits = limits;
    }

    /** Looks for the next head: the last one was read. */
    void begin() {
        scanned = 0;
        lineStart = 0;
        isEmptyLineSkipped = false;
    }

    /**
     * Where the empty line behind the head begins, or -1 if it has not come yet. The head begins where the buffer is read
     * next, behind the empty line that may come before it.
     */
    int endOfHead(ByteBuf pending) throws Malformed {
        if (scanned == 0 && !isEmptyLineSkipped && mayBeEmptyLine(pending)) {
            return -1;
        }
        int start = pending.readerIndex();
        while (true) {
            int lineFeed = pending.indexOf(start + scanned, pending.writerIndex(), (byte) '\n');
            requireRoom(lineFeed < 0 ? pending.readableBytes() : lineFeed - start);
            if (lineFeed < 0) {
                scanned = pending.readableBytes();
                return -1;
            }
            int length = lineFeed - start - lineStart;
            if (length == 0 || pending.getByte(lineFeed - 1) != '\r') {
                throw Malformed.of(Rule.LINE_END, "request head: expected each line to end with CR LF");
            }
            if (length == 1) {
                return emptyLine(start, lineFeed);
            }
            scanned = lineFeed + 1 - start;
            lineStart = scanned;
        }
    }

    /**
     * One empty line before a request is tolerated (RFC 9112 section 2.2), and skipped.
     *
     * @return whether the next byte decides
     */
    private boolean mayBeEmptyLine(ByteBuf pending) {
        if (!pending.isReadable() || pending.getByte(pending.readerIndex()) != '\r') {
            return false;
        }
        if (pending.readableBytes() == 1) {
            return true;
        }
        if (pending.getByte(pending.readerIndex() + 1) == '\n') {
            pending.skipBytes(2);
            isEmptyLineSkipped = true;
        }
        return false;
    }

    private int emptyLine(int start, int lineFeed) throws Malformed {
        if (lineStart == 0) {
            throw Malformed.of(Rule.REQUEST_LINE, "request line: expected method, target and version");
        }
        scanned = lineFeed - start;
        return lineFeed - 1;
    }

    /** The same verdict, whether the bytes of a line come before its end or with it. */
    private void requireRoom(int bytes) throws Malformed {
        int requestLineMax = limits.targetBytesMax() + REQUEST_LINE_REST_BYTES_MAX;
        if (lineStart == 0 && bytes > requestLineMax) {
            throw limits.targetTooLong();
        }
        if (bytes > requestLineMax + limits.bytesMax()) {
            throw limits.tooManyBytes();
        }
    }
}
