package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.history.WatchCursor;
import io.fairlead.index.history.WatchDecision;
import io.fairlead.testkit.Effort;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CborEventsTest {
    private final long seed = Long.getLong("fuzz.seed", 7);

    /** The ways in which an encoder may write the same. */
    enum Style {
        /** As Kubernetes does: byte strings, definite lengths, and a tag before each object. */
        KUBERNETES(0x40),
        TEXTS(0x60),
        INDEFINITE(0x60);

        private final int major;

        Style(int major) {
            this.major = major;
        }

        String string(String text) {
            return head(major, text.length()) + text;
        }

        String map(Map<String, String> members) {
            StringBuilder map = new StringBuilder(this == INDEFINITE ? "\u00bf" : head(0xa0, members.size()));
            members.forEach((name, value) -> map.append(string(name)).append(value));
            return map.append(this == INDEFINITE ? "\u00ff" : "").toString();
        }

        String list(List<String> elements) {
            return (this == INDEFINITE ? "\u009f" : head(0x80, elements.size()))
                    + String.join("", elements)
                    + (this == INDEFINITE ? "\u00ff" : "");
        }

        String tagged(String value) {
            return this == KUBERNETES ? "\u00d9\u00d9\u00f7" + value : value;
        }
    }

    @ParameterizedTest
    @EnumSource
    void staleDelete_isForwardedWithTheHighWaterMark_whereverTheStreamIsCut(Style style) {
        for (String version : List.of("7", "123456", "1" + "0".repeat(30), "1" + "0".repeat(255))) {
            String before = event(style, "ADDED", "a", "5") + event(style, "ADDED", "c", version);
            String sent = before + event(style, "DELETED", "a", "5") + event(style, "ADDED", "d", version);
            String received = before + event(style, "DELETED", "a", version) + event(style, "ADDED", "d", version);

            assertThat(stream().accept(sent).complete()).isEqualTo(received);
            assertThat(stream().acceptBy(1, sent).complete()).isEqualTo(received);
            for (int cut = 1; cut < sent.length(); cut++) {
                assertThat(stream()
                                .accept(sent.substring(0, cut))
                                .accept(sent.substring(cut))
                                .complete())
                        .as("cut at %d", cut)
                        .isEqualTo(received);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void tables_areRewrittenInAllRows(Style style) {
        String before = table(style, "ADDED", "9", "b", "9");

        assertThat(stream()
                        .acceptBy(11, before + table(style, "DELETED", "5", "a", "5"))
                        .complete())
                .isEqualTo(before + table(style, "DELETED", "9", "a", "9"));
    }

    @Test
    void olderState_endsTheWatchWithAnErrorInCbor() {
        String before = event(Style.KUBERNETES, "ADDED", "x", "12");
        GuardedStream stream = stream().accept(before + event(Style.KUBERNETES, "MODIFIED", "x", "9"));

        assertThat(stream.ended).isTrue();
        String error = stream.forwarded().substring(before.length());
        assertThat(error)
                .startsWith("\u00a2dtypeeERRORfobject\u00a8dkindfStatus")
                .contains("freasongExpired", "WatchWentBackwards")
                .endsWith("dcode\u0019\u0001\u009a");
        assertThat(stream.decisions).endsWith(WatchDecision.REWIND);
    }

    /** The examples of RFC 8949 appendix A, as values of a member that the guard does not read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "00",
                "1818",
                "1903e8",
                "1a000f4240",
                "1b000000e8d4a51000",
                "1bffffffffffffffff",
                "c249010000000000000000",
                "3bffffffffffffffff",
                "20",
                "3863",
                "f90000",
                "f93e00",
                "fa47c35000",
                "fb7e37e43c8800759c",
                "fbc010666666666666",
                "f97c00",
                "f4",
                "f5",
                "f6",
                "f7",
                "f0",
                "f8ff",
                "c074323031332d30332d32315432303a30343a30305a",
                "c11a514b67b0",
                "d74401020304",
                "d818456449455446",
                "40",
                "4401020304",
                "60",
                "6161",
                "62c3bc",
                "80",
                "83010203",
                "8301820203820405",
                "a0",
                "a201020304",
                "826161a161626163",
                "5f42010243030405ff",
                "7f657374726561646d696e67ff",
                "9fff",
                "9f018202039f0405ffff",
                "bf61610161629f0203ffff",
                "bf6346756ef563416d7421ff"
            })
    void anyValue_isPassedOver(String hex) {
        boolean hasNumberAsName = hex.equals("a201020304");
        String value = new String(HexFormat.of().parseHex(hex), ISO_8859_1);
        Map<String, String> object = new LinkedHashMap<>();
        object.put("spec", value);
        object.put("metadata", metadata(Style.KUBERNETES, "a", "5"));
        String sent = event(Style.KUBERNETES, "ADDED", "c", "7")
                + event(Style.KUBERNETES, "DELETED", Style.KUBERNETES.map(object));
        object.put("metadata", metadata(Style.KUBERNETES, "a", "7"));
        String mended = event(Style.KUBERNETES, "ADDED", "c", "7")
                + event(Style.KUBERNETES, "DELETED", Style.KUBERNETES.map(object));

        for (int length : List.of(1, 5, 1_000)) {
            assertThat(stream().acceptBy(length, sent).complete()).isEqualTo(hasNumberAsName ? sent : mended);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00",
                "6161",
                "80",
                "ff",
                "fe",
                "1c",
                "a1ff",
                "a16161ff",
                "bf6161ff",
                "5f00ff",
                "9fa0",
                "a1f4f4",
                "df"
            })
    void whatIsNoMap_orBroken_passesUnread(String hex) {
        String before = event(Style.KUBERNETES, "ADDED", "c", "7");
        String sent = before
                + new String(HexFormat.of().parseHex(hex), ISO_8859_1)
                + event(Style.KUBERNETES, "DELETED", "a", "5");

        assertThat(stream().acceptBy(3, sent).complete()).isEqualTo(sent);
    }

    /** Whatever is changed, nothing is lost that a client without a guard would get. */
    @Test
    void changedStreams_arePassedOnWhole() {
        int rounds = Effort.rounds(20_000);
        int judged = 0;
        for (int round = 0; round < rounds; round++) {
            Random random = new Random(seed * 1_000_003 + round);
            Style style = Style.values()[random.nextInt(3)];
            byte[] sent = (event(style, "ADDED", "c", "5")
                            + event(style, "MODIFIED", "a", "7")
                            + event(style, "ADDED", "d", "9"))
                    .getBytes(ISO_8859_1);
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                sent[random.nextInt(sent.length)] = (byte) random.nextInt(256);
            }
            GuardedStream stream = stream().acceptBy(1 + random.nextInt(60), new String(sent, ISO_8859_1));
            judged += stream.decisions.size();
            if (stream.decisions.stream().noneMatch(WatchDecision::isTravel)) {
                assertThat(stream.complete())
                        .as("round %d of seed %d", round, seed)
                        .isEqualTo(new String(sent, ISO_8859_1));
            }
        }
        assertThat(judged).isGreaterThan(rounds);
    }

    private static GuardedStream stream() {
        return new GuardedStream("application/cbor-seq", WatchCursor.of("4", false), GuardedStream.PLENTY);
    }

    private static String event(Style style, String type, String name, String version) {
        Map<String, String> object = new LinkedHashMap<>();
        object.put("kind", style.string("ConfigMap"));
        object.put("metadata", metadata(style, name, version));
        object.put("data", style.list(List.of("\u0001", "\u00f6", style.string("x".repeat(30)), style.map(Map.of()))));
        return event(style, type, style.map(object));
    }

    private static String table(Style style, String type, String version, String name, String rowVersion) {
        String row = style.map(Map.of("object", style.map(Map.of("metadata", metadata(style, name, rowVersion)))));
        Map<String, String> table = new LinkedHashMap<>();
        table.put("kind", style.string("Table"));
        table.put("apiVersion", style.string("meta.k8s.io/v1"));
        table.put("rows", style.list(List.of(row)));
        table.put("metadata", style.map(Map.of("resourceVersion", style.string(version))));
        return event(style, type, style.map(table));
    }

    private static String metadata(Style style, String name, String version) {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put("name", style.string(name));
        metadata.put("resourceVersion", style.string(version));
        return style.map(metadata);
    }

    private static String event(Style style, String type, String object) {
        Map<String, String> event = new LinkedHashMap<>();
        event.put("type", style.string(type));
        event.put("object", style.tagged(object));
        return style.tagged(style.map(event));
    }

    private static String head(int major, int argument) {
        ByteBuf head = Unpooled.buffer();
        if (argument < 24) {
            head.writeByte(major | argument);
        } else if (argument < 256) {
            head.writeByte(major | 24).writeByte(argument);
        } else {
            head.writeByte(major | 25).writeShort(argument);
        }
        return head.toString(ISO_8859_1);
    }
}
