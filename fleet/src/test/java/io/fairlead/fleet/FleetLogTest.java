package io.fairlead.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import io.fairlead.testkit.LogLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** One line for each change of a cluster's state, and none for what stays. */
class FleetLogTest {
    private static final ClusterName PROD = new ClusterName("prod");

    private final LogLines lines = new LogLines(FleetLog.class);
    private final FleetLog log = new FleetLog();

    @AfterEach
    void stopListening() {
        lines.close();
    }

    @Test
    void lifeOfACluster_isOneLinePerChange() {
        log.registered(PROD, new Member.Unready(PROD, "SecretNotFound", "no Secret"));
        observe("Unknown", "NotTriedYet");
        observe("True", "Ready");
        observe("True", "Ready");
        observe("False", "ConnectionFailed");
        observe("False", "ConnectionFailed");
        observe("False", "CertificateRefused");
        observe("True", "Ready");
        log.removed(PROD);

        assertThat(lines.texts())
                .containsExactly(
                        "INFO Cluster registered cluster=prod reason=SecretNotFound",
                        "INFO Cluster is Ready cluster=prod version=v1.36.0",
                        "WARN Cluster is not Ready cluster=prod reason=ConnectionFailed problem=why ConnectionFailed",
                        "WARN Cluster is not Ready cluster=prod reason=CertificateRefused problem=why"
                                + " CertificateRefused",
                        "INFO Cluster is Ready cluster=prod version=v1.36.0",
                        "INFO Cluster removed cluster=prod");
    }

    @Test
    void readyCluster_thatBecomesUnknown_isNotReadyAnyMore() {
        observe("True", "Ready");
        observe("Unknown", "Listing");
        observe("Unknown", "Pending");

        assertThat(lines.texts())
                .containsExactly(
                        "INFO Cluster is Ready cluster=prod version=v1.36.0",
                        "WARN Cluster is not Ready cluster=prod reason=Listing problem=why Listing");
    }

    @Test
    void clusterThatWaits_isToldOfOnceForEachReason_andWhenItIsOver() {
        available("True", "Available");
        available("False", "APIServicesNotAvailable");
        available("False", "APIServicesNotAvailable");
        available("False", "GateTimedOut");
        available("Unknown", "NotObserved");
        available("False", "GateTimedOut");
        available("False", "ConnectionFailed");
        available("True", "Available");
        available("True", "Available");

        assertThat(lines.texts())
                .containsExactly(
                        "WARN Cluster is not Available cluster=prod reason=APIServicesNotAvailable problem=why"
                                + " APIServicesNotAvailable",
                        "WARN Cluster is not Available cluster=prod reason=GateTimedOut problem=why GateTimedOut",
                        "INFO Cluster is Available cluster=prod");
    }

    @Test
    void clusterThatComesAndGoes_isToldOfNowAndThen() {
        for (int i = 0; i < 500; i++) {
            observe("True", "Ready");
            observe("False", "ConnectionFailed");
        }

        assertThat(lines.texts()).hasSize(10);
    }

    private void observe(String status, String reason) {
        observe("Ready", status, reason);
    }

    private void available(String status, String reason) {
        observe("Available", status, reason);
    }

    private void observe(String type, String status, String reason) {
        ObjectNode document = Json.object().put("version", "v1.36.0");
        document.putArray("conditions")
                .addObject()
                .put("type", type)
                .put("status", status)
                .put("reason", reason)
                .put("message", "why " + reason);
        log.observed(PROD, document);
    }
}
