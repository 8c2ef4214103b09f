package io.fairlead.gateway.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.history.WatchCursor;
import io.fairlead.index.history.WatchDecision;
import io.fairlead.model.HistoryMode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedEventsTest {
    private static final String A5 = event("ADDED", "a", "5");
    private static final String B6 = event("ADDED", "b", "6");
    private static final String C7 = event("ADDED", "c", "7");
    private static final String DELETED_A5 = event("DELETED", "a", "5");
    private static final String DELETED_A7 = event("DELETED", "a", "7");

    /** What a server sends, and what the client gets of it; the watch names resourceVersion 4. */
    enum Case {
        IN_ORDER(A5 + B6 + C7, A5 + B6 + C7),
        STALE_DELETE(
                A5 + B6 + C7 + DELETED_A5 + event("ADDED", "d", "8"),
                A5 + B6 + C7 + DELETED_A7 + event("ADDED", "d", "8")),
        STALE_DELETE_WITHOUT_WHITE_SPACE(
                (A5 + C7 + DELETED_A5).replace("\n", ""), (A5 + C7 + DELETED_A7).replace("\n", "")),
        STALE_BOOKMARK(
                A5 + C7 + bookmark("6", "") + "\n\r " + event("ADDED", "d", "8"), A5 + C7 + event("ADDED", "d", "8")),
        STALE_END_OF_INITIAL_EVENTS(
                A5 + C7 + bookmark("6", "\"k8s.io/initial-events-end\":\"true\""),
                A5 + C7 + bookmark("7", "\"k8s.io/initial-events-end\":\"true\"")),
        LEFT_A_SELECTOR(
                A5 + event("DELETED", "a", "8") + event("ADDED", "a", "9"),
                A5 + event("DELETED", "a", "8") + event("ADDED", "a", "9")),
        SAME_VERSION_TWICE(A5 + A5, A5 + A5),
        VERSION_IN_STRINGS(
                C7
                        + object(
                                "DELETED",
                                "{\"metadata\":{\"name\":\"x\",\"annotations\":{\"a\":\"{\\\"resourceVersion\\\":\\\"99\\\"}\","
                                    + "\"resourceVersion\":\"99\"},\"resourceVersion\":\"5\"},\"spec\":{\"metadata\":{\"resourceVersion\":\"98\"},"
                                    + "\"resourceVersion\":\"97\"},\"resourceVersion\":\"96\"}"),
                C7
                        + object(
                                "DELETED",
                                "{\"metadata\":{\"name\":\"x\",\"annotations\":{\"a\":\"{\\\"resourceVersion\\\":\\\"99\\\"}\","
                                    + "\"resourceVersion\":\"99\"},\"resourceVersion\":\"7\"},\"spec\":{\"metadata\":{\"resourceVersion\":\"98\"},"
                                    + "\"resourceVersion\":\"97\"},\"resourceVersion\":\"96\"}")),
        TYPE_BEHIND_OBJECT(
                C7 + "{\"object\":{\"metadata\":{\"resourceVersion\":\"5\",\"name\":\"a\"}},\"type\":\"DELETED\"}\n",
                C7 + "{\"object\":{\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"a\"}},\"type\":\"DELETED\"}\n"),
        OVER_SEVERAL_LINES(
                C7
                        + "{\n"
                        + " \"type\" : \"DELETED\",\n"
                        + " \"object\" : {\n"
                        + "  \"metadata\" : { \"resourceVersion\" : \"5\" }\n"
                        + " }\n"
                        + "}\n"
                        + A5.replace("5", "8"),
                C7
                        + "{\n"
                        + " \"type\" : \"DELETED\",\n"
                        + " \"object\" : {\n"
                        + "  \"metadata\" : { \"resourceVersion\" : \"7\" }\n"
                        + " }\n"
                        + "}\n"
                        + A5.replace("5", "8")),
        LONGER_NUMBER(
                event("ADDED", "a", "9".repeat(40)) + event("DELETED", "b", "9".repeat(39)),
                event("ADDED", "a", "9".repeat(40)) + event("DELETED", "b", "9".repeat(40))),
        TABLE(
                table("ADDED", "5", "a", "5") + table("ADDED", "7", "b", "7") + table("DELETED", "5", "a", "5"),
                table("ADDED", "5", "a", "5") + table("ADDED", "7", "b", "7") + table("DELETED", "7", "a", "7")),
        TABLE_WITHOUT_OBJECTS(
                C7
                        + object(
                                "DELETED",
                                "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"5\"},\"rows\":[{\"cells\":[\"a\"]}]}"),
                C7
                        + object(
                                "DELETED",
                                "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"7\"},\"rows\":[{\"cells\":[\"a\"]}]}")),
        ROWS_OF_AN_OBJECT_THAT_IS_NO_TABLE(
                C7
                        + object(
                                "DELETED",
                                "{\"kind\":\"Sheet\",\"apiVersion\":\"x.io/v1\",\"metadata\":{\"resourceVersion\":\"8\"},\"rows\":[{\"object\":{\"metadata\":{\"resourceVersion\":\"5\"}}}]}"),
                C7
                        + object(
                                "DELETED",
                                "{\"kind\":\"Sheet\",\"apiVersion\":\"x.io/v1\",\"metadata\":{\"resourceVersion\":\"8\"},\"rows\":[{\"object\":{\"metadata\":{\"resourceVersion\":\"5\"}}}]}")),

        // What follows is not judged, and nothing is changed.
        NO_NUMBERS(event("ADDED", "a", "abc") + DELETED_A5, event("ADDED", "a", "abc") + DELETED_A5),
        LEADING_ZERO(C7 + event("DELETED", "a", "007"), C7 + event("DELETED", "a", "007")),
        TOO_MANY_DIGITS(C7 + event("DELETED", "a", "1".repeat(300)), C7 + event("DELETED", "a", "1".repeat(300))),
        ENDLESS_DIGITS(C7 + event("DELETED", "a", "1".repeat(3000)), C7 + event("DELETED", "a", "1".repeat(3000))),
        NEGATIVE(C7 + event("DELETED", "a", "-1"), C7 + event("DELETED", "a", "-1")),
        EMPTY(C7 + event("DELETED", "a", ""), C7 + event("DELETED", "a", "")),
        NUMBER(C7 + unclear("\"resourceVersion\":5"), C7 + unclear("\"resourceVersion\":5")),
        NULL(C7 + unclear("\"resourceVersion\":null"), C7 + unclear("\"resourceVersion\":null")),
        TWICE(
                C7 + unclear("\"resourceVersion\":\"5\",\"resourceVersion\":\"6\""),
                C7 + unclear("\"resourceVersion\":\"5\",\"resourceVersion\":\"6\"")),
        ESCAPED(C7 + unclear("\"resourceVersion\":\"\\u0035\""), C7 + unclear("\"resourceVersion\":\"\\u0035\"")),
        ESCAPED_NAME(C7 + unclear("\"resource\\u0056ersion\":\"5\""), C7 + unclear("\"resource\\u0056ersion\":\"5\"")),
        NO_OBJECT(C7 + "{\"type\":\"DELETED\"}\n", C7 + "{\"type\":\"DELETED\"}\n"),
        UNKNOWN_TYPE(C7 + event("MOVED", "a", "5"), C7 + event("MOVED", "a", "5")),
        ERROR(
                C7 + object("ERROR", "{\"kind\":\"Status\",\"code\":410}"),
                C7 + object("ERROR", "{\"kind\":\"Status\",\"code\":410}")),
        NOT_JSON(C7 + "hello\n" + DELETED_A5, C7 + "hello\n" + DELETED_A5),
        BROKEN_EVENT(
                C7 + "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"resourceVersion\":\"5\"]}}" + DELETED_A5,
                C7 + "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"resourceVersion\":\"5\"]}}" + DELETED_A5),
        CUT_OFF(
                C7 + "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"resourceVersion\":\"5\"",
                C7 + "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"resourceVersion\":\"5\""),
        DEEP(C7 + object("MODIFIED", deep(9_000, "8")), C7 + object("MODIFIED", deep(9_000, "8"))),
        TOO_DEEP(C7 + object("MODIFIED", deep(10_001, "5")), C7 + object("MODIFIED", deep(10_001, "5")));

        private final String sent;
        private final String received;

        Case(String sent, String received) {
            this.sent = sent;
            this.received = received;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(Case.values());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void client_getsWhatTheRulesSay_whereverTheStreamIsCut(Case each) {
        assertThat(GuardedStream.json("4").accept(each.sent).complete()).isEqualTo(each.received);
        assertThat(GuardedStream.json("4").acceptBy(1, each.sent).complete()).isEqualTo(each.received);
        assertThat(GuardedStream.json("4").acceptBy(7, each.sent).complete()).isEqualTo(each.received);
        int end = Math.min(each.sent.length(), 1_000);
        for (int cut = 1; cut < end; cut++) {
            assertThat(GuardedStream.json("4")
                            .accept(each.sent.substring(0, cut))
                            .accept(each.sent.substring(cut))
                            .complete())
                    .as("cut at %d", cut)
                    .isEqualTo(each.received);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void observing_changesNothing_andHoldsNothing(Case each) {
        for (int length : List.of(1, 7, each.sent.length())) {
            GuardedStream stream = GuardedStream.json("4");
            stream.mode = HistoryMode.OBSERVE;

            assertThat(stream.acceptBy(length, each.sent).forwarded()).isEqualTo(each.sent);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"MODIFIED", "ADDED"})
    void olderState_endsTheWatchWith410(String type) {
        String sent = A5 + event("MODIFIED", "x", "12") + event(type, "x", "9") + event("MODIFIED", "y", "13");
        for (int cut = 1; cut < sent.length(); cut++) {
            GuardedStream stream =
                    GuardedStream.json("4").accept(sent.substring(0, cut)).accept(sent.substring(cut));

            assertThat(stream.ended).isTrue();
            assertThat(stream.complete())
                    .isEqualTo(A5 + event("MODIFIED", "x", "12")
                            + "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"The"
                            + " watch went back in time: " + type
                            + " shop/x after resourceVersion 12 (rewind); list"
                            + " again\",\"reason\":\"Expired\",\"details\":{\"causes\":[{\"reason\":\"WatchWentBackwards\",\"message\":\"The"
                            + " watch went back"
                            + " in time:"
                            + " " + type + " shop/x after resourceVersion 12 (rewind); list again\"}]},"
                            + "\"code\":410}}\n");
            assertThat(stream.decisions).endsWith(WatchDecision.REWIND);
        }
    }

    @Test
    void deletionOfWhatTheWatchShowedAtAHigherVersion_endsTheWatch() {
        GuardedStream stream = GuardedStream.json("4").accept(A5 + event("MODIFIED", "a", "8") + DELETED_A5);

        assertThat(stream.ended).isTrue();
        assertThat(stream.decisions).endsWith(WatchDecision.REPLAYED_DELETE);
    }

    @Test
    void initialObjects_areInNoOrder() {
        String initial = event("ADDED", "a", "9")
                + event("ADDED", "b", "3")
                + bookmark("9", "\"k8s.io/initial-events-end\":\"true\"");

        assertThat(GuardedStream.json("").accept(initial).complete()).isEqualTo(initial);
    }

    @Test
    void eventForWhichThereIsNoMemory_passes_andTheWatchEndsAfterItIfItWentBack() {
        HeldBytes little = HeldBytes.of(20, 1_000);
        String sent = C7 + DELETED_A5 + event("ADDED", "d", "8");
        GuardedStream stream =
                new GuardedStream("application/json", WatchCursor.of("4", false), little).acceptBy(10, sent);

        assertThat(stream.ended).isTrue();
        assertThat(stream.forwarded()).startsWith(C7 + DELETED_A5.strip() + "\n{\"type\":\"ERROR\"");
        assertThat(little.held()).hasValue(0);
    }

    @Test
    void eventForWhichThereIsNoMemory_passes_andTheWatchGoesOnIfItIsInOrder() {
        HeldBytes little = HeldBytes.of(1_000, 20);
        String sent = A5 + C7 + event("ADDED", "d", "8");

        assertThat(new GuardedStream("application/json", WatchCursor.of("4", false), little)
                        .acceptBy(10, sent)
                        .complete())
                .isEqualTo(sent);
        assertThat(little.held()).hasValue(0);
    }

    @Test
    void memory_isGivenBack() {
        HeldBytes memory = HeldBytes.of(1_000, 1_000);
        GuardedStream stream = new GuardedStream("application/json", WatchCursor.of("4", false), memory);
        stream.accept(C7.substring(0, 30));
        assertThat(memory.held()).hasValue(30);

        stream.close();
        assertThat(memory.held()).hasValue(0);
        assertThat(stream.accept(C7.substring(30)).forwarded()).isEmpty();
    }

    @Test
    void mode_isAskedForEachEvent() {
        GuardedStream stream = GuardedStream.json("4").accept(C7);
        stream.mode = HistoryMode.OBSERVE;
        stream.accept(DELETED_A5);
        stream.mode = HistoryMode.ENFORCE;
        stream.accept(event("DELETED", "b", "6"));
        stream.mode = HistoryMode.OFF;
        stream.accept(event("DELETED", "c", "5"));
        stream.mode = HistoryMode.ENFORCE;
        stream.accept(event("DELETED", "d", "5"));

        assertThat(stream.complete())
                .isEqualTo(C7
                        + DELETED_A5
                        + event("DELETED", "b", "7")
                        + event("DELETED", "c", "5")
                        + event("DELETED", "d", "5"));
    }

    /** What was held while events were judged is not lost when they are judged no more. */
    @Test
    void mode_changesInTheMiddleOfAnEvent() {
        for (HistoryMode next : List.of(HistoryMode.OBSERVE, HistoryMode.OFF)) {
            for (int cut = 1; cut < DELETED_A5.indexOf('\n'); cut++) {
                GuardedStream stream = GuardedStream.json("4").accept(C7 + DELETED_A5.substring(0, cut));
                stream.mode = next;

                assertThat(stream.accept(DELETED_A5.substring(cut)).forwarded()).isEqualTo(C7 + DELETED_A5);
            }
        }
    }

    @Test
    void streamsThatCannotBeJudged_areCountedWhileTheyAreOpen() {
        for (String sent : List.of(event("ADDED", "a", "abc"), "hello", event("ADDED", "a", "1".repeat(300)))) {
            GuardedStream stream = GuardedStream.json("4").accept(C7);
            assertThat(stream.unguarded).isZero();
            stream.accept(sent).accept(C7);
            assertThat(stream.unguarded).as(sent).isEqualTo(1);
            stream.close();
            assertThat(stream.unguarded).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "", "application/yaml"})
    void otherMediaTypes_passUnread(String contentType) {
        GuardedStream stream = new GuardedStream(contentType, WatchCursor.of("9", false), GuardedStream.PLENTY);

        assertThat(stream.accept(A5 + DELETED_A5).forwarded()).isEqualTo(A5 + DELETED_A5);
        assertThat(stream.unguarded).isEqualTo(1);
    }

    @Test
    void encodedBodies_areNotRead() {
        assertThat(EventFormat.of("application/json", "gzip")).isEqualTo(EventFormat.OPAQUE);
        assertThat(EventFormat.of("Application/JSON ; charset=utf-8", "identity"))
                .isEqualTo(EventFormat.JSON);
    }

    @Test
    void rewoundHistory_endsTheWatchWithAnError_atAnyMomentAtWhichNoEventWasCut() {
        for (int cut = 1; cut < C7.length(); cut++) {
            GuardedStream stream =
                    GuardedStream.json("4").accept(A5 + C7.substring(0, cut)).rewound();

            assertThat(stream.ended).isTrue();
            assertThat(stream.forwarded()).contains("\"reason\":\"Expired\"").endsWith("\"code\":410}}\n");
            assertThat(stream.forwarded().lines().limit(2)).contains(A5.strip());
            assertThat(stream.accept(C7.substring(cut)).rewound().complete()).endsWith("\"code\":410}}\n");
        }
    }

    @Test
    void errorAfterAnEventWhoseLineIsNotComplete_hasALineOfItsOwn() {
        GuardedStream stream = GuardedStream.json("4").accept(A5.strip()).rewound();

        assertThat(stream.forwarded()).startsWith(A5.strip() + "\n{\"type\":\"ERROR\"");
        assertThat(GuardedStream.json("4").accept(A5).rewound().forwarded()).startsWith(A5 + "{\"type\":\"ERROR\"");
    }

    /** A drain ends a watch between two events, in the midst of a piece. */
    @Test
    void clientThatLeavesWhileAPieceIsForwarded_getsNoMore_andNothingIsHeld() {
        HeldBytes memory = HeldBytes.of(1_000, 1_000);
        for (String rest :
                List.of(B6.substring(0, 20), DELETED_A5, bookmark("5", ""), event("MODIFIED", "c", "6"), "x")) {
            GuardedStream stream = new GuardedStream("application/json", WatchCursor.of("4", false), memory);
            stream.closesAfter = 1;
            stream.accept(C7 + rest).accept(C7);

            assertThat(stream.forwarded()).startsWith(C7.strip()).doesNotContain("DELETED", "ERROR");
            assertThat(stream.unguarded).isZero();
            assertThat(memory.held()).hasValue(0);
        }
    }

    @Test
    void rewoundHistory_breaksAWatchOffOfWhichAnEventWasCut() {
        GuardedStream cut = new GuardedStream("application/json", WatchCursor.of("4", false), HeldBytes.of(0, 0));
        assertThat(cut.accept(A5 + C7.substring(0, 20)).rewound().aborted).isTrue();

        GuardedStream observed = GuardedStream.json("4");
        observed.mode = HistoryMode.OBSERVE;
        assertThat(observed.accept(A5).rewound().forwarded()).isEqualTo(A5);

        assertThat(GuardedStream.json("4").accept("no JSON").rewound().aborted).isTrue();

        GuardedStream closed = GuardedStream.json("4");
        closed.close();
        assertThat(closed.rewound().aborted).isFalse();
        assertThat(closed.ended).isFalse();
    }

    private static String event(String type, String name, String version) {
        return object(
                type,
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" + name
                        + "\",\"namespace\":\"shop\",\"resourceVersion\":\"" + version
                        + "\"},\"data\":{\"k\":[1,-2.5e3,true]}}");
    }

    private static String bookmark(String version, String annotation) {
        return object(
                "BOOKMARK",
                "{\"kind\":\"ConfigMap\",\"metadata\":{\"resourceVersion\":\"" + version + "\",\"annotations\":{"
                        + annotation + "}}}");
    }

    private static String table(String type, String version, String name, String rowVersion) {
        return object(
                type,
                "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"" + version
                        + "\"},\"columnDefinitions\":null,\"rows\":[{\"cells\":[\"" + name
                        + "\"],\"object\":{\"kind\":\"PartialObjectMetadata\",\"metadata\":{\"name\":\"" + name
                        + "\",\"resourceVersion\":\"" + rowVersion + "\"}}}]}");
    }

    private static String unclear(String members) {
        return object("DELETED", "{\"metadata\":{\"name\":\"a\"," + members + "}}");
    }

    private static String deep(int levels, String version) {
        return "{\"metadata\":{\"name\":\"x\",\"resourceVersion\":\"" + version + "\"},\"spec\":" + "[".repeat(levels)
                + "]".repeat(levels) + "}";
    }

    private static String object(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
    }
}
