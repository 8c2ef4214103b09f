package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration;
import io.fairlead.config.Configuration.AuditMode;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.audit.AuditLog;
import io.fairlead.gateway.audit.AuditMetrics;
import io.fairlead.gateway.audit.AuditPolicy;
import io.fairlead.gateway.audit.Audits;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.gateway.listen.AddressRate;
import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A front end whose requests are recorded in a file. */
abstract class AuditFixture {
    static final String ALL = "rules: [{level: Metadata}]";
    static final String MAPS = "/clusters/dev/api/v1/namespaces/default/configmaps";
    static final String THINGS = "/clusters/dev/apis/example.com/v1/namespaces/default/things";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path folder;

    final AtomicInteger rejected = new AtomicInteger();
    final AtomicInteger leftOut = new AtomicInteger();

    @SuppressWarnings("NullAway.Init") // set by each test
    AuditLog log;

    @SuppressWarnings("NullAway.Init") // set by each test
    TestEdge edge;

    @AfterEach
    void stop() throws Exception {
        edge.close();
        log.close();
    }

    void start(String policy) throws IOException {
        start(policy, Limited.BY_DEFAULT, AuditMode.BATCH, file());
    }

    void start(String policy, Configuration configuration, AuditMode mode, Path path) throws IOException {
        AuditMetrics metrics = new AuditMetrics() {
            @Override
            public void refused() {
                rejected.incrementAndGet();
            }

            @Override
            public void tooManyUnknownCallers() {
                leftOut.incrementAndGet();
            }
        };
        String inner = policy.startsWith("{") ? policy.substring(1, policy.length() - 1) : policy;
        AuditPolicy parsed = AuditPolicy.parse("{apiVersion: audit.k8s.io/v1, kind: Policy, " + inner + "}");
        log = AuditLog.open(path, configuration, metrics, Clock.systemUTC(), System::nanoTime, (_, _) -> {});
        edge = new TestEdge(
                configuration,
                new Audits(
                        () -> parsed,
                        log,
                        mode,
                        configuration.limits().auditBodyBytesMax().intBytes(),
                        new AddressRate(configuration.limits().auditedUnknownCallersPerSecondMax(), () -> 0),
                        metrics,
                        Clock.systemUTC()));
    }

    Path file() {
        return folder.resolve("audit.log");
    }

    RawAnswer get(String target, String... lines) throws IOException {
        try (RawClient client = edge.client()) {
            return client.get(target, lines);
        }
    }

    RawAnswer post(String target, String body) throws IOException {
        try (RawClient client = edge.client()) {
            client.send("POST " + target + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.getBytes(UTF_8).length
                    + "\r\n\r\n" + body);
            return client.answer(false);
        }
    }

    /** All lines, once there are as many. */
    List<JsonNode> lines(int count) {
        Await.until(() -> text().lines().count() >= count);
        List<JsonNode> lines = new ArrayList<>();
        text().lines().forEach(line -> lines.add(Json.read(line)));
        assertThat(lines).hasSize(count);
        return lines;
    }

    String text() {
        try {
            return Files.exists(file()) ? Files.readString(file()) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static String stage(JsonNode line) {
        return line.path("stage").asString();
    }
}
