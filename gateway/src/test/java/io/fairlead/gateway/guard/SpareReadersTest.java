package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.history.WatchDecision;
import org.junit.jupiter.api.Test;

/** Watches of one event loop share what reads their events, and nothing else. */
class SpareReadersTest {
    private static final String FIRST = event("one", 5);
    private static final String SECOND = event("two", 6);

    @Test
    void watchesInTurns_areReadApart_whereverTheirEventsAreCut() {
        for (int cut = 1; cut < SECOND.length(); cut++) {
            GuardedStream cutOne = GuardedStream.json("4").accept(FIRST);
            GuardedStream other = GuardedStream.json("4").accept(FIRST);
            cutOne.accept(SECOND.substring(0, cut));
            other.accept(SECOND).accept(event("three", 1));
            cutOne.accept(SECOND.substring(cut)).accept(event("four", 7));

            assertThat(cutOne.complete()).as("cut at %s", cut).isEqualTo(FIRST + SECOND + event("four", 7));
            assertThat(other.ended)
                    .as("the event that goes back ends its watch")
                    .isTrue();
            assertThat(cutOne.decisions).containsOnly(WatchDecision.IN_ORDER).hasSize(3);
        }
    }

    @Test
    void watchThatCannotBeRead_leavesNothingToTheNext() {
        GuardedStream broken = GuardedStream.json("4").accept("{\"type\": oops");
        assertThat(broken.unguarded).isEqualTo(1);

        GuardedStream next = GuardedStream.json("4").accept(FIRST);

        assertThat(next.unguarded).isZero();
        assertThat(next.decisions).containsExactly(WatchDecision.IN_ORDER);
    }

    @Test
    void reader_isUsedAgain_unlessItIsWithinAnEvent() {
        EventReader reader = EventFormat.JSON.reader();
        SpareReaders spares = SpareReaders.ofThread();

        read(reader, FIRST);
        spares.giveBack(EventFormat.JSON, reader);
        assertThat(spares.take(EventFormat.JSON)).isSameAs(reader);
        assertThat(spares.take(EventFormat.JSON)).as("it is taken").isNotSameAs(reader);

        read(reader, "{");
        spares.giveBack(EventFormat.JSON, reader);
        assertThat(spares.take(EventFormat.JSON)).as("it is within an event").isNotSameAs(reader);
    }

    private static void read(EventReader reader, String text) {
        byte[] bytes = text.getBytes(US_ASCII);
        reader.read(bytes, 0, bytes.length);
        reader.take();
    }

    private static String event(String name, int version) {
        return "{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\""
                + name + "\",\"namespace\":\"shop\",\"resourceVersion\":\"" + version + "\"}}}\n";
    }
}
