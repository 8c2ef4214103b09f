package io.fairlead.ittests;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Requests to the attached cluster over HTTP/2 that are given up as soon as they are made, over one connection after the other. */
record RapidResets(int attackers) implements Attack {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final int RESETS_OF_A_CONNECTION = 150;
    private static final byte HEADERS = 1;
    private static final byte RST_STREAM = 3;
    private static final byte SETTINGS = 4;
    private static final byte END_STREAM_AND_HEADERS = 5;
    private static final int CANCEL = 8;

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        byte[] requests = requests();
        run.crowd(attackers, attacker -> {
            WireConnection connection = run.connectHttp2(attacker);
            try {
                connection.send(requests);
                run.count("resets");
                int _ = connection.read(new byte[4096]);
            } finally {
                run.drop(connection);
            }
        });
    }

    /** All that a connection sends, from the preface on. */
    private static byte[] requests() {
        var all = new ByteArrayOutputStream();
        all.writeBytes(PREFACE.getBytes(StandardCharsets.US_ASCII));
        frame(all, SETTINGS, (byte) 0, 0, new byte[0]);
        byte[] head = head();
        for (int i = 0; i < RESETS_OF_A_CONNECTION; i++) {
            int stream = 2 * i + 1;
            frame(all, HEADERS, END_STREAM_AND_HEADERS, stream, head);
            frame(
                    all,
                    RST_STREAM,
                    (byte) 0,
                    stream,
                    ByteBuffer.allocate(4).putInt(CANCEL).array());
        }
        return all.toByteArray();
    }

    private static byte[] head() {
        var head = new ByteArrayOutputStream();
        field(head, ":method", "GET");
        field(head, ":scheme", "https");
        field(head, ":authority", "localhost");
        field(head, ":path", "/clusters/prod/api/v1/namespaces/default/configmaps");
        field(head, "authorization", "Bearer " + AttackedFairlead.IMPATIENT);
        return head.toByteArray();
    }

    /** A literal field that is never indexed, without Huffman coding (RFC 7541 section 6.2.3); shorter than 127 bytes. */
    private static void field(ByteArrayOutputStream head, String name, String value) {
        head.write(0x10);
        for (String text : new String[] {name, value}) {
            head.write(text.length());
            head.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static void frame(ByteArrayOutputStream all, byte type, byte flags, int stream, byte[] payload) {
        all.writeBytes(ByteBuffer.allocate(9)
                .putInt(payload.length << 8 | type)
                .put(flags)
                .putInt(stream)
                .array());
        all.writeBytes(payload);
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of(429);
    }
}
