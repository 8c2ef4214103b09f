package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.testkit.Footprint;
import org.junit.jupiter.api.Test;

/** What a guarded watch takes in memory. */
class GuardFootprintTest {
    @Test
    void guard_takesLittle_andLessWhileItsWatchIsIdle() {
        GuardedStream stream = GuardedStream.json("4");
        assertThat(stream.bytes()).isLessThan(600);
        for (int i = 0; i < 1_000; i++) {
            stream.accept(event("n".repeat(250) + i, Integer.toString(1_000 + i)));
        }
        assertThat(stream.bytes()).isBetween(2_048L, 3_000L);

        EventReader reader = EventFormat.JSON.reader();
        byte[] half = event("n".repeat(250), "9".repeat(256)).substring(0, 400).getBytes(US_ASCII);
        reader.read(half, 0, half.length);
        assertThat(Footprint.bytes(reader)).isBetween(500L, 1_900L);
    }

    /** A server may send a Table of many rows with long names, to each of many watches, and stop before its end. */
    @Test
    void table_takesLittle_howeverLongTheNamesInItsRowsAre() {
        String row = "{\"object\":{\"metadata\":{\"name\":\"" + "n".repeat(500) + "\",\"namespace\":\""
                + "s".repeat(500) + "\",\"resourceVersion\":\"" + "9".repeat(500) + "\"}}},";
        EventReader reader = EventFormat.JSON.reader();
        byte[] half = ("{\"type\":\"ADDED\",\"object\":{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"rows\":["
                        + row.repeat(EventMembers.ROWS_MAX))
                .getBytes(US_ASCII);
        reader.read(half, 0, half.length);

        assertThat(Footprint.bytes(reader)).isLessThan(50_000);
    }

    private static String event(String name, String version) {
        return "{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\""
                + name + "\",\"namespace\":\"shop\",\"resourceVersion\":\"" + version + "\"}}}\n";
    }
}
