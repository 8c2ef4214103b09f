package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.history.WatchCursor;
import io.fairlead.index.history.WatchDecision;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.protobuf.Protobuf;
import io.fairlead.testkit.Effort;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Frames as kube-apiserver sends them, by the encoder that is compared with Go's byte by byte. */
class ProtobufEventReaderTest {
    private static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf;stream=watch";

    private final long seed = Long.getLong("fuzz.seed", 7);

    /** Of different lengths, so that the lengths of messages change in one byte and in more. */
    @ParameterizedTest
    @ValueSource(ints = {0, 10, 60, 90, 100, 105, 110, 120, 200, 16_200, 16_300})
    void staleDelete_isForwardedWithTheHighWaterMark_whereverTheStreamIsCut(int dataLength) {
        for (String version : List.of("7", "123456", "1" + "0".repeat(40), "1" + "0".repeat(200))) {
            String before = frame("ADDED", "a", "5", dataLength) + frame("ADDED", "c", version, 0);
            String after = frame("ADDED", "d", version + "1", 0);
            String sent = before + frame("DELETED", "a", "5", dataLength) + after;
            String received = before + frame("DELETED", "a", version, dataLength) + after;

            assertThat(stream("4").accept(sent).complete()).isEqualTo(received);
            assertThat(stream("4").acceptBy(1, sent).complete()).isEqualTo(received);
            for (int cut = 1; cut < Math.min(sent.length(), 500); cut++) {
                assertThat(stream("4")
                                .accept(sent.substring(0, cut))
                                .accept(sent.substring(cut))
                                .complete())
                        .as("cut at %d", cut)
                        .isEqualTo(received);
            }
        }
    }

    @Test
    void olderState_endsTheWatchWithAnErrorInAFrame() {
        String sent = frame("ADDED", "x", "12", 0) + frame("MODIFIED", "x", "9", 0);
        GuardedStream stream = stream("4").acceptBy(5, sent);

        assertThat(stream.ended).isTrue();
        String error = stream.forwarded().substring(frame("ADDED", "x", "12", 0).length());
        assertThat(error)
                .contains("ERROR", "k8s\0", "Expired", "WatchWentBackwards", "shop/x after resourceVersion 12");
        assertThat(error.charAt(2) << 8 | error.charAt(3)).isEqualTo(error.length() - 4);
        ObjectNode status =
                Protobuf.read(error.substring(error.indexOf("k8s\0")).getBytes(ISO_8859_1));
        assertThat(status.path("code").intValue()).isEqualTo(410);
    }

    @Test
    void bookmarks_areLeftOut_unlessTheyEndTheInitialEvents() {
        String before = frame("ADDED", "a", "9", 0);
        ObjectNode ending = object("", "5", 0);
        ending.withObject("/metadata").putObject("annotations").put("a", "b").put("k8s.io/initial-events-end", "true");
        ObjectNode mended = ending.deepCopy();
        mended.withObject("/metadata").put("resourceVersion", "9");

        assertThat(stream("4")
                        .accept(before + frame("BOOKMARK", "", "5", 0) + before)
                        .complete())
                .isEqualTo(before + before);
        assertThat(stream("4")
                        .accept(before + text(Protobuf.frame("BOOKMARK", ending)))
                        .complete())
                .isEqualTo(before + text(Protobuf.frame("BOOKMARK", mended)));
    }

    @Test
    void otherFrames_pass_andTheNextOneIsJudged() {
        List<String> others = List.of(
                "\0\0\0\0",
                "\0\0\0\1x",
                "\0\0\0\3\12\1X",
                "\0\0\0\2\12\5",
                "\0\0\0\13" + "\377".repeat(11),
                frame("DELETED", "a", "5", 0).replace("k8s\0", "k9s\0"),
                text(Protobuf.frame(
                        "ERROR", (ObjectNode) Json.read("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":410}"))));
        String before = frame("ADDED", "c", "7", 0);
        for (String other : others) {
            for (int length : List.of(1, 3, 10_000)) {
                assertThat(stream("4")
                                .acceptBy(length, before + other + frame("DELETED", "a", "5", 0))
                                .complete())
                        .isEqualTo(before + other + frame("DELETED", "a", "7", 0));
            }
        }
    }

    /** Whatever is changed in a frame, the others are read, and what is forwarded has the length that it says. */
    @Test
    void changedFrames_neverBreakTheStream() {
        int rounds = Effort.rounds(20_000);
        int judged = 0;
        int unclear = 0;
        for (int round = 0; round < rounds; round++) {
            Random random = new Random(seed * 1_000_003 + round);
            byte[] frame = frame("DELETED", "a", "5", random.nextInt(30)).getBytes(ISO_8859_1);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                frame[4 + random.nextInt(frame.length - 4)] = (byte) random.nextInt(256);
            }
            String before = frame("ADDED", "c", "7", 0);
            String after = frame("ADDED", "d", "8", 0);
            GuardedStream stream = stream("4").acceptBy(1 + random.nextInt(50), before + text(frame) + after);
            String as = "round " + round + " of seed " + seed;

            assertThat(lengths(stream.complete())).as(as).isTrue();
            if (!stream.ended) {
                assertThat(stream.forwarded()).as(as).startsWith(before).endsWith(after);
                assertThat(stream.decisions).as(as).hasSize(3);
            }
            WatchDecision decision = stream.decisions.get(1);
            judged += decision == WatchDecision.STALE_DELETE ? 1 : 0;
            unclear += decision == WatchDecision.UNGUARDED ? 1 : 0;
        }
        assertThat(List.of(judged, unclear)).allMatch(count -> count > rounds / 50);
    }

    @Test
    void repeatedFields_areNotClear() {
        byte[] metadata = {0x32, 1, '5', 0x32, 1, '6'};
        assertThat(read(metadata).isClear()).isFalse();
        assertThat(read(new byte[] {0x32, 1, '5', 0x0a, 1, 'n', 0x62, 0, 0x62, 0})
                        .isClear())
                .isTrue();
        assertThat(read(new byte[] {0x30, 1, 0x32, 1, '5'}).isClear()).isFalse();
    }

    private static ReadEvent read(byte[] metadata) {
        byte[] object = message(0x0a, metadata);
        byte[] unknown = message(0x12, object);
        byte[] raw = message(0x0a, (text("k8s\0".getBytes(ISO_8859_1)) + text(unknown)).getBytes(ISO_8859_1));
        byte[] event =
                (text(message(0x0a, "ADDED".getBytes(ISO_8859_1))) + text(message(0x12, raw))).getBytes(ISO_8859_1);
        byte[] frame = ("\0\0\0" + (char) event.length + text(event)).getBytes(ISO_8859_1);
        ProtobufEventReader format = new ProtobufEventReader();
        assertThat(format.read(frame, 0, frame.length)).isEqualTo(frame.length);
        ReadEvent read = format.take();
        if (read == null) {
            throw new AssertionError("no event");
        }
        return read;
    }

    private static byte[] message(int key, byte[] content) {
        byte[] message = new byte[content.length + 2];
        message[0] = (byte) key;
        message[1] = (byte) content.length;
        System.arraycopy(content, 0, message, 2, content.length);
        return message;
    }

    private static boolean lengths(String frames) {
        ByteBuf left = Unpooled.copiedBuffer(frames, ISO_8859_1);
        while (left.readableBytes() >= 4) {
            int length = left.readInt();
            if (length > left.readableBytes()) {
                return false;
            }
            left.skipBytes(length);
        }
        return !left.isReadable();
    }

    private static GuardedStream stream(String resourceVersion) {
        return new GuardedStream(MEDIA_TYPE, WatchCursor.of(resourceVersion, false), GuardedStream.PLENTY);
    }

    private static String frame(String type, String name, String version, int dataLength) {
        return text(Protobuf.frame(type, object(name, version, dataLength)));
    }

    private static ObjectNode object(String name, String version, int dataLength) {
        ObjectNode object = Json.object().put("kind", "ConfigMap").put("apiVersion", "v1");
        object.putObject("metadata").put("name", name).put("namespace", "shop").put("resourceVersion", version);
        object.putObject("data").put("k", "v".repeat(dataLength));
        return object;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }
}
