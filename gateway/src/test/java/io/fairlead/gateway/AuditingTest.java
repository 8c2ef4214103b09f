package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit log when a server starts. */
class AuditingTest {
    @TempDir
    private Path folder;

    @Test
    void logThatCannotBeWritten_isNamedOnce() throws Exception {
        Path policy = Files.writeString(
                folder.resolve("policy.yaml"),
                "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n");
        Path log = Files.createDirectory(folder.resolve("audit.log"));

        assertThatThrownBy(() -> Auditing.open(
                        Limited.by(Map.of("auditPolicyFile", policy, "auditLogPath", log)),
                        new SimpleMeterRegistry(),
                        Clock.systemUTC(),
                        System::nanoTime,
                        (_, _) -> {}))
                .isInstanceOf(StartFailure.class)
                .hasMessage("auditLogPath: \"" + log + "\" cannot be written (Is a directory)");
    }
}
