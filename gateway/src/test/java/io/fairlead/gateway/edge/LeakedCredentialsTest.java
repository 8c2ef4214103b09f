package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.testkit.WholeLog;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * No credential is written anywhere: marked ones go along every path of a whole gateway whose every logger is at TRACE and which traces
 * every request, and all that it wrote is searched for any part of them in any form.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LeakedCredentialsTest {
    private static final long SEED = 20_261_128;

    @TempDir
    private Path folder;

    @Test
    void markedCredentials_onEveryPath_appearInNothingThatIsWritten() throws Exception {
        MarkedSecrets secrets = new MarkedSecrets(SEED);
        try (WholeLog log = new WholeLog();
                MarkedTraffic traffic = new MarkedTraffic(folder, secrets)) {
            traffic.registerClusters();
            traffic.callEveryPath();
            traffic.useTokensOfClusters();
            traffic.breakFraming();
            traffic.letServersMisbehave();
            WrittenOutput written = traffic.collect(log);

            // Nothing is proven by what was not written.
            assertThat(written.bytes("log")).isGreaterThan(100_000);
            assertThat(written.bytes("audit")).isGreaterThan(100_000);
            assertThat(written.bytes("answer")).isGreaterThan(100_000);
            assertThat(written.bytes("traces")).isGreaterThan(100_000);
            assertThat(written.bytes("answer to the administrator /fairlead/v1/clusters/dev/export"))
                    .isGreaterThan(1000);
            assertThat(written.bytes("answer to the administrator /fairlead/v1/usage"))
                    .isGreaterThan(100);
            assertThat(written.findings(secrets)).as("seed " + SEED).isEmpty();
        }
    }

    @Test
    void credentialThatIsWritten_isFound_inTheLogTheAuditLogTracesAndAnswers() throws Exception {
        MarkedSecrets secrets = new MarkedSecrets(SEED);
        String token = secrets.make("token");
        try (WholeLog log = new WholeLog()) {
            byte[] bytes = token.getBytes(UTF_8);
            var logger = LoggerFactory.getLogger("io.netty.canary");
            logger.atTrace().addKeyValue("header", "Bearer " + token).log("of a library");
            LoggerFactory.getLogger("io.fairlead.canary")
                    .debug(
                            "broken",
                            new IllegalStateException(Base64.getEncoder().encodeToString(bytes)));
            WrittenOutput written = new WrittenOutput();
            log.texts().forEach(line -> written.add("log", line));
            written.add("audit", "{\"requestURI\":\"/api?t=" + HexFormat.of().formatHex(bytes) + "\"}");
            written.add("traces", "\n\u0012" + token + "\u001a");
            written.add("answer", "{\"message\":\"" + token.substring(3, 20) + "\"}");

            assertThat(written.findings(secrets))
                    .extracting(finding -> finding.substring(0, finding.indexOf(':')))
                    .containsExactlyInAnyOrder("log", "log", "audit", "traces", "answer");
        }
    }
}
