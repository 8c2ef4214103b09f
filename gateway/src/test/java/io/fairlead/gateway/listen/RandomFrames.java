package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a client of HTTP/2 sends on one connection: some requests, most of them valid, and odd frames between. */
final class RandomFrames {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final int HEAD_BYTES = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int CONTINUATION = 9;
    private static final int PRIORITY_UPDATE = 16;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int PADDED = 8;
    private static final int PRIORITY = 0x20;

    private static final List<String> FIELDS = List.of(
            "accept=a",
            "x=y",
            "x=",
            "x= y",
            "x=\u00e9",
            "cookie=a",
            "cookie=b=c",
            "content-length=0",
            "content-length=3",
            "content-length=4",
            "content-length=03",
            "content-type=a/b",
            "te=trailers",
            "te=gzip",
            "host=h",
            "host=g",
            "Host=h",
            "connection=close",
            "transfer-encoding=chunked",
            "upgrade=x",
            "X=y",
            "x y=z",
            "x\0=y",
            "x=\0",
            "x=\r\ny: z",
            ":path=/other",
            ":authority=g",
            ":status=200",
            ":protocol=x",
            "=y",
            "x_z=1",
            "user-agent=u",
            "authorization=Bearer b");

    private static final List<String> PATHS =
            List.of("/", "/a?b=c", "/a%20b", "/a b", "*", "a", "/\u00e9", "", "/a#b", "//h/a", "http://h/a", "/a/../b");

    private final Fuzzing fuzzing;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    RandomFrames(Fuzzing fuzzing) {
        this.fuzzing = fuzzing;
    }

    byte[] connection() {
        out.writeBytes(PREFACE.getBytes(ISO_8859_1));
        frame(SETTINGS, 0, 0, new byte[0]);
        int streams = 1 + fuzzing.random.nextInt(4);
        for (int i = 0; i < streams; i++) {
            if (chance(6)) {
                odd();
            }
            request(2 * i + 1);
        }
        byte[] bytes = out.toByteArray();
        if (chance(3)) {
            int at = PREFACE.length()
                    + HEAD_BYTES
                    + fuzzing.random.nextInt(bytes.length - PREFACE.length() - HEAD_BYTES);
            bytes[at] = (byte) (chance(2) ? fuzzing.random.nextInt(256) : bytes[at] ^ 1 << fuzzing.random.nextInt(8));
        }
        return bytes;
    }

    /** For each stream of a connection, what the connection is without the frames of the others and PRIORITY_UPDATE. */
    static List<byte[]> eachStreamAlone(byte[] connection) {
        Map<Integer, ByteArrayOutputStream> alone = new TreeMap<>();
        int at = PREFACE.length();
        while (at + HEAD_BYTES <= connection.length) {
            ByteBuffer head = ByteBuffer.wrap(connection, at, HEAD_BYTES);
            int end = at + HEAD_BYTES + (head.getInt(at) >>> 8);
            int stream = head.getInt(at + 5) & Integer.MAX_VALUE;
            if (end > connection.length) {
                break;
            }
            if (connection[at + 3] != PRIORITY_UPDATE) {
                ByteArrayOutputStream frames = alone.computeIfAbsent(stream, _ -> new ByteArrayOutputStream());
                frames.write(connection, at, end - at);
            }
            at = end;
        }
        ByteArrayOutputStream begin = new ByteArrayOutputStream();
        begin.write(connection, 0, PREFACE.length() + HEAD_BYTES);
        return alone.values().stream()
                .map(frames -> {
                    ByteArrayOutputStream whole = new ByteArrayOutputStream();
                    whole.writeBytes(begin.toByteArray());
                    whole.writeBytes(frames.toByteArray());
                    return whole.toByteArray();
                })
                .toList();
    }

    private void request(int stream) {
        List<String> fields = new ArrayList<>(List.of(
                ":method=" + (chance(2) ? "GET" : "POST"),
                ":scheme=https",
                ":path=" + (chance(3) ? fuzzing.oneOf(PATHS) : "/r" + stream),
                ":authority=h"));
        if (chance(10)) {
            fields.remove(fuzzing.random.nextInt(fields.size()));
        }
        for (int more = fuzzing.random.nextInt(3); more > 0; more--) {
            fields.add(chance(12) ? fuzzing.random.nextInt(fields.size()) : fields.size(), fuzzing.oneOf(FIELDS));
        }
        boolean hasBody = chance(2);
        head(stream, fields, !hasBody);
        if (hasBody) {
            body(stream);
        }
    }

    private void body(int stream) {
        for (int pieces = fuzzing.random.nextInt(3); pieces > 0; pieces--) {
            frame(DATA, 0, stream, "abcd".substring(fuzzing.random.nextInt(4)).getBytes(ISO_8859_1));
            if (chance(8)) {
                odd();
            }
        }
        if (chance(4)) {
            head(stream, chance(2) ? List.of("x=y") : List.of(fuzzing.oneOf(FIELDS)), !chance(6));
        } else {
            frame(DATA, END_STREAM, stream, chance(2) ? new byte[0] : "xyz".getBytes(ISO_8859_1));
        }
    }

    private void head(int stream, List<String> fields, boolean last) {
        byte[] block = block(fields);
        int flags = last ? END_STREAM : 0;
        if (chance(5)) {
            byte[] priority = new byte[5 + block.length];
            priority[4] = 15;
            System.arraycopy(block, 0, priority, 5, block.length);
            frame(HEADERS, flags | END_HEADERS | PRIORITY, stream, priority);
        } else if (chance(4)) {
            int cut = fuzzing.random.nextInt(block.length + 1);
            frame(HEADERS, flags, stream, Arrays.copyOf(block, cut));
            frame(CONTINUATION, END_HEADERS, stream, Arrays.copyOfRange(block, cut, block.length));
        } else {
            frame(HEADERS, flags | END_HEADERS, stream, block);
        }
    }

    /** A frame of any kind. */
    private void odd() {
        byte[] payload = new byte[fuzzing.random.nextInt(10)];
        fuzzing.random.nextBytes(payload);
        int stream = chance(2) ? 0 : fuzzing.random.nextInt(8);
        frame(chance(2) ? 8 : fuzzing.random.nextInt(12), fuzzing.random.nextInt(256), stream, payload);
    }

    private void frame(int type, int flags, int stream, byte[] payload) {
        boolean isPadded = (type == DATA || type == HEADERS) && (flags & (PADDED | PRIORITY)) == 0 && chance(5);
        byte[] whole = payload;
        if (isPadded) {
            int padding = fuzzing.random.nextInt(4);
            whole = new byte[1 + payload.length + padding];
            whole[0] = (byte) padding;
            System.arraycopy(payload, 0, whole, 1, payload.length);
        }
        out.write(whole.length >> 16);
        out.write(whole.length >> 8);
        out.write(whole.length);
        out.write(type);
        out.write(isPadded ? flags | PADDED : flags);
        out.write(0);
        out.write(0);
        out.write(0);
        out.write(stream);
        out.writeBytes(whole);
    }

    /** Literals without indexing, of names and values that are not compressed. */
    private static byte[] block(List<String> fields) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (String field : fields) {
            int equals = field.indexOf('=');
            block.write(0);
            literal(block, field.substring(0, equals));
            literal(block, field.substring(equals + 1));
        }
        return block.toByteArray();
    }

    private static void literal(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        block.write(bytes.length);
        block.writeBytes(bytes);
    }

    private boolean chance(int oneIn) {
        return fuzzing.random.nextInt(oneIn) == 0;
    }
}
