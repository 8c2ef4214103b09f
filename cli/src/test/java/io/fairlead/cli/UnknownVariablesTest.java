package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Key;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which variables of the environment are typing errors. */
class UnknownVariablesTest {
    @Test
    void variablesOfNoKey_areNamedInOrder() {
        assertThat(UnknownVariables.in(
                        Set.of("FAIRLEAD_SECURE_PROT", "FAIRLEAD_", "FAIRLEAD_LIMIT_X", "PATH", "FAIRLEADS")))
                .containsExactly("FAIRLEAD_", "FAIRLEAD_LIMIT_X", "FAIRLEAD_SECURE_PROT");
    }

    @Test
    void variablesOfKeys_ofTheLauncherAndOfCommands_areKnown() {
        assertThat(UnknownVariables.in(Set.of(
                        "FAIRLEAD_JAVA_HOME",
                        "FAIRLEAD_JAVA_OPTS",
                        "FAIRLEAD_CONFIG",
                        "FAIRLEAD_KUBECONFIG",
                        "FAIRLEAD_DATA_DIR")))
                .isEmpty();
        assertThat(Key.ALL)
                .allSatisfy(key ->
                        assertThat(UnknownVariables.in(Set.of(key.variable()))).isEmpty());
    }

    @Test
    void variablesOfServices_areOfKubernetes() {
        assertThat(UnknownVariables.in(Set.of(
                        "FAIRLEAD_SERVICE_HOST",
                        "FAIRLEAD_SERVICE_PORT",
                        "FAIRLEAD_SERVICE_PORT_HTTPS",
                        "FAIRLEAD_PORT",
                        "FAIRLEAD_PORT_443_TCP",
                        "FAIRLEAD_PORT_443_TCP_PROTO",
                        "FAIRLEAD_PORT_443_TCP_PORT",
                        "FAIRLEAD_PORT_443_TCP_ADDR",
                        "FAIRLEAD_METRICS_SERVICE_HOST",
                        "FAIRLEAD_METRICS_SERVICE_PORT",
                        "FAIRLEAD_METRICS_PORT",
                        "FAIRLEAD_METRICS_PORT_9464_TCP_ADDR")))
                .isEmpty();
    }

    /** Each Service has its host among its variables. */
    @Test
    void variableThatOnlyLooksAsIfOfAService_isUnknown() {
        assertThat(UnknownVariables.in(Set.of("FAIRLEAD_SERVICE_HOST", "FAIRLEAD_SECUR_PORT", "FAIRLEAD_PORTS")))
                .containsExactly("FAIRLEAD_PORTS", "FAIRLEAD_SECUR_PORT");
        assertThat(UnknownVariables.in(Set.of("FAIRLEAD_PORT"))).containsExactly("FAIRLEAD_PORT");
    }
}
