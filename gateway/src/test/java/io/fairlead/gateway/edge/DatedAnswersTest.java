package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Each answer says when it began (RFC 9110 section 6.6.1), once: by the cluster if that says so. */
class DatedAnswersTest {
    @Test
    void ownAnswersAndRefusals_areDated_andThoseOfClustersAreLeftAsTheyAre() throws Exception {
        try (TestEdge edge = new TestEdge();
                RawClient client = edge.client()) {
            FakeUpstream cluster = new FakeUpstream();
            edge.attach("prod", cluster);

            assertNow(client.get("/version", TestEdge.JANE));
            assertNow(client.get("/version", "Authorization: Bearer unknown"));
            assertNow(client.get("/clusters/nowhere/api", TestEdge.JANE));
            client.send("GET /clusters/prod/api HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            cluster.next().finish();
            assertNow(client.answer(false));
            client.send("GET /clusters/prod/api HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            FakeUpstream.Call dated = cluster.next();
            dated.answer(200, "Content-Length: 2", "Date: Sun, 06 Nov 1994 08:49:37 GMT");
            dated.data("{}");
            dated.tell(dated.receiver()::onEnd);
            assertThat(dates(client.answer(false))).containsExactly("Sun, 06 Nov 1994 08:49:37 GMT");
        }
    }

    private static void assertNow(RawClient.RawAnswer answer) {
        assertThat(dates(answer))
                .singleElement()
                .satisfies(date -> assertThat(Duration.between(
                                ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                                        .toInstant(),
                                Instant.now()))
                        .isBetween(Duration.ZERO, Duration.ofSeconds(30)));
    }

    private static List<String> dates(RawClient.RawAnswer answer) {
        return answer.fields().stream()
                .filter(field -> field.toLowerCase(Locale.ROOT).startsWith("date: "))
                .map(field -> field.substring("date: ".length()))
                .toList();
    }
}
