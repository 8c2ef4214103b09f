package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration.AuditMode;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a request has to do with its record, and what becomes of it where that cannot be written. */
class AuditModesTest extends AuditFixture {
    @ParameterizedTest
    @EnumSource(AuditMode.class)
    void everyMode_recordsTheSame(AuditMode mode) throws Exception {
        start(ALL, Limited.BY_DEFAULT, mode, file());
        edge.host("dev");
        edge.attach("prod");

        for (int i = 0; i < 3; i++) {
            assertThat(get(MAPS + "/one", TestEdge.JANE).status()).isEqualTo(200);
            assertThat(get("/clusters/prod/api/v1/nodes", TestEdge.JANE).status())
                    .isEqualTo(200);
        }

        assertThat(lines(12)).hasSize(12);
    }

    /** On a device that is always full. */
    @ParameterizedTest
    @CsvSource({
        "BATCH, GET, 200",
        "BATCH, POST, 200",
        "BLOCKING, GET, 200",
        "BLOCKING, POST, 500",
        "BLOCKING_STRICT, GET, 500",
        "BLOCKING_STRICT, POST, 500"
    })
    void logThatCannotBeWritten_doesWhatTheModeSays(AuditMode mode, String method, int status) throws Exception {
        start(ALL, Limited.BY_DEFAULT, mode, Path.of("/dev/full"));
        FakeHosted dev = edge.host("dev");

        for (int i = 0; i < 3; i++) {
            RawAnswer answer = method.equals("GET") ? get(MAPS, TestEdge.JANE) : post(MAPS, "{}");
            assertThat(answer.status()).as(answer.body()).isEqualTo(status);
            if (status == 500) {
                assertThat(answer.header("Retry-After")).isEqualTo("1");
                assertThat(answer.body()).contains("failed to store audit event", "No space left on device");
            }
        }

        assertThat(dev.requests()).hasSize(status == 200 ? 3 : 0);
        assertThat(rejected).hasValue(status == 200 ? 0 : 3);
        Await.until(() -> log.failure().isPresent());
    }

    @Test
    void logThatCannotBeWritten_refusesNothingThatItDoesNotRecord() throws Exception {
        start(
                "rules: [{level: None, users: [jane]}, {level: Metadata}]",
                Limited.BY_DEFAULT,
                AuditMode.BLOCKING_STRICT,
                Path.of("/dev/full"));
        edge.host("dev");

        assertThat(get(MAPS, TestEdge.ADMIN).status()).isEqualTo(500);
        assertThat(post(MAPS, "{}").status()).isEqualTo(200);
    }

    /** Where the first line is not asked for, nothing is waited for, but what changes something is still refused. */
    @Test
    void logThatCannotBeWritten_refusesChangesWithoutAFirstLine() throws Exception {
        start(
                "{omitStages: [RequestReceived], rules: [{level: Metadata}]}",
                Limited.BY_DEFAULT,
                AuditMode.BLOCKING,
                Path.of("/dev/full"));
        edge.host("dev");
        assertThat(get(MAPS, TestEdge.JANE).status()).isEqualTo(200);
        Await.until(() -> log.failure().isPresent());

        assertThat(post(MAPS, "{}").status()).isEqualTo(500);
        assertThat(get(MAPS, TestEdge.JANE).status()).isEqualTo(200);
    }
}
