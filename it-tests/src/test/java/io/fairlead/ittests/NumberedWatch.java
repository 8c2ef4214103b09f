package io.fairlead.ittests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A watch of objects whose changes are numbered from 1 on, object by object, on a connection of its own. It notes what it misses, hears
 * twice or hears in another order. One that is slow may be ended by the server; it then goes on where it was.
 *
 * <p>Threads: one reads; any may ask.
 */
final class NumberedWatch {
    private static final Duration SLOW_PAUSE = Duration.ofMillis(500);
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);
    private static final String MODIFIED = "{\"type\":\"MODIFIED\"";

    private final Pace pace;
    private final int port;
    private final String path;
    private final Map<Integer, Integer> ticks = new HashMap<>();
    private WireConnection connection;
    private int changeCount;
    private int endCount;
    private volatile long lastRevision;
    private volatile int heard;
    private volatile int ends;
    private volatile String fault = "";
    private volatile boolean hurries;
    private volatile boolean closing;

    /** How a client reads. */
    enum Pace {
        FAST,
        /** Two events a second, until it is told to hurry. */
        SLOW,
        /** Nothing, until it is told to hurry. */
        STALLED
    }

    /** Opens a watch, and returns once it is answered 200. */
    static NumberedWatch open(Pace pace, int port, String path, long revision) throws IOException {
        var watch = new NumberedWatch(pace, port, path, revision);
        watch.requireAnswer();
        return watch;
    }

    private NumberedWatch(Pace pace, int port, String path, long revision) throws IOException {
        this.pace = pace;
        this.port = port;
        this.path = path;
        this.lastRevision = revision;
        this.connection = connect();
    }

    /** What a slow client has not read would long be in a wide window, as that of one that reads nothing. */
    private WireConnection connect() throws IOException {
        return pace == Pace.FAST || hurries ? WireConnection.open(port, 1) : WireConnection.openNarrow(port, 1);
    }

    Pace pace() {
        return pace;
    }

    /** How many changes it has heard of. */
    int heard() {
        return heard;
    }

    /** How often the server ended it. */
    int ends() {
        return ends;
    }

    /** What went wrong, or empty. */
    String fault() {
        return fault;
    }

    /** Reads as fast as it can from here on. */
    void hurry() {
        hurries = true;
    }

    void close() {
        closing = true;
        connection.close();
    }

    /** Reads until it is closed. */
    void read() {
        while (!closing && fault.isEmpty()) {
            try {
                readToTheEnd();
                goOn("ended");
            } catch (IOException e) {
                goOn("cut: " + e);
            }
        }
    }

    private void readToTheEnd() throws IOException {
        var line = new StringBuilder();
        for (byte[] chunk = nextChunk(); chunk.length > 0; chunk = nextChunk()) {
            line.append(new String(chunk, StandardCharsets.UTF_8));
            for (int end = line.indexOf("\n"); end >= 0; end = line.indexOf("\n")) {
                hear(line.substring(0, end));
                line.delete(0, end + 1);
            }
        }
        if (!line.isEmpty()) {
            note("ended amid an event: " + line);
        }
    }

    private byte[] nextChunk() throws IOException {
        if (pace == Pace.SLOW && !hurries) {
            LockSupport.parkNanos(SLOW_PAUSE.toNanos());
        }
        while (pace == Pace.STALLED && !hurries && !closing) {
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
        return connection.chunk();
    }

    /** The documented end of a client that falls behind; no other is ended, and none that reads something is cut. */
    private void goOn(String how) {
        if (closing) {
            return;
        }
        boolean isDocumented = pace == Pace.STALLED || (pace == Pace.SLOW && how.equals("ended"));
        if (!isDocumented) {
            note(how + " after " + heard + " changes");
            return;
        }
        endCount++;
        ends = endCount;
        connection.close();
        try {
            connection = connect();
            requireAnswer();
        } catch (IOException e) {
            note("cannot go on: " + e);
        }
    }

    private void requireAnswer() throws IOException {
        connection.send(WireConnection.head(
                        "GET", path + "?watch=1&resourceVersion=" + lastRevision, AttachedCluster.ROOT_TOKEN)
                + "\r\n");
        int status = connection.status();
        if (status != 200) {
            throw new IOException("answered " + status);
        }
    }

    private void hear(String line) {
        if (!line.startsWith(MODIFIED)) {
            note("after " + heard + " changes: " + line);
            return;
        }
        int object = (int) number(line, "\"name\":\"ticks-");
        long revision = number(line, "\"resourceVersion\":\"");
        int tick = (int) number(line, "\"tick\":\"");
        int before = ticks.getOrDefault(object, 0);
        if (tick != before + 1 || revision <= lastRevision) {
            note("change " + tick + " of " + object + " at " + revision + ", after " + before + " and " + lastRevision);
        }
        ticks.put(object, tick);
        lastRevision = revision;
        changeCount++;
        heard = changeCount;
    }

    /** What follows a text up to the next quotation mark; there are too many events to parse them all. */
    private static long number(String line, String before) {
        int begin = line.indexOf(before) + before.length();
        return Long.parseLong(line, begin, line.indexOf('"', begin), 10);
    }

    private void note(String what) {
        if (!closing && fault.isEmpty()) {
            fault = pace + ": " + what;
        }
    }
}
