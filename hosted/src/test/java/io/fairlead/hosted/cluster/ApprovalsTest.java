package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.storage.MemoryStore;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Decisions about certificate signing requests: they are dated, and final. */
class ApprovalsTest {
    private static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    private static final String APPROVED = "{\"type\":\"Approved\",\"status\":\"True\",\"reason\":\"r\"}";
    private static final String REFUSED =
            "CertificateSigningRequest.certificates.k8s.io \"r\" is invalid: status.conditions";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final Fixture fixture = new Fixture(new MemoryStore(), Fixture.settings(1024, 1024), List.of(), now::get);
    private final Api api = fixture.withEveryKind();

    @BeforeEach
    void request() {
        api.create(REQUESTS, """
            apiVersion: certificates.k8s.io/v1
            kind: CertificateSigningRequest
            metadata: {name: r}
            spec: {signerName: example.com/s, usages: [client auth], request: %s}
            """.formatted(SigningFixture.REQUEST)).expect(201);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void decision_saysWhenItWasMade() {
        assertTimes(write("approval", APPROVED), "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z");

        now.set(Instant.parse("2026-01-02T00:00:00Z"));
        assertTimes(write("approval", APPROVED), "2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z");
        String dated = APPROVED.replace("}", ",\"lastUpdateTime\":\"2020-01-01T00:00:00Z\"}");
        assertTimes(write("approval", dated), "2020-01-01T00:00:00Z", "2026-01-01T00:00:00Z");
        assertTimes(sign(SigningFixture.CERTIFICATE), "2020-01-01T00:00:00Z", "2026-01-01T00:00:00Z");
    }

    @Test
    void decision_isFinal() {
        write("approval", APPROVED).expect(200);

        assertThat(write("approval", "").expect(422).message())
                .isEqualTo(REFUSED + ": Forbidden: updates may not remove a condition of type \"Approved\"");
        String denied = "{\"type\":\"Denied\",\"status\":\"True\"}";
        assertThat(write("approval", APPROVED + "," + denied).expect(422).message())
                .isEqualTo(
                        REFUSED + ": Invalid value: \"Denied\": Approved and Denied conditions are mutually exclusive");
        write("status", APPROVED + ",{\"type\":\"Failed\",\"status\":\"True\"}").expect(200);
        assertThat(write("status", APPROVED).expect(422).message())
                .isEqualTo(REFUSED + ": Forbidden: updates may not remove a condition of type \"Failed\"");
    }

    @Test
    void decision_isMadeByItsOwnPathAlone() {
        for (String type : List.of("Approved", "Denied")) {
            assertThat(write("status", APPROVED.replace("Approved", type))
                            .expect(422)
                            .message())
                    .isEqualTo(REFUSED + ": Forbidden: updates may not add a condition of type \"" + type + "\"");
        }
        write("approval", APPROVED).expect(200);

        assertThat(write("status", "").expect(422).message())
                .isEqualTo(REFUSED + ": Forbidden: updates may not remove a condition of type \"Approved\"");
        Answer kept = write("status", APPROVED.replace("\"r\"", "\"other\"")).expect(200);
        assertThat(kept.at("/status/conditions/0/reason")).isEqualTo("r");
    }

    @Test
    void certificate_isIssuedOnce() {
        sign(SigningFixture.CERTIFICATE).expect(200);
        sign(SigningFixture.CERTIFICATE).expect(200);

        String refused = REFUSED.replace("conditions", "certificate")
                + ": Forbidden: updates may not modify existing certificate content";
        assertThat(sign(SigningFixture.CERTIFICATE + SigningFixture.CERTIFICATE)
                        .expect(422)
                        .message())
                .isEqualTo(refused);
        assertThat(api.merge(REQUESTS + "/r/status", "{\"status\":{\"certificate\":null}}")
                        .expect(422)
                        .message())
                .isEqualTo(refused);
        Answer approved = write("approval", APPROVED).expect(200);
        assertThat(approved.at("/status/certificate")).isEqualTo(SigningFixture.CERTIFICATE);
    }

    @Test
    void condition_isThereOnce_andADecisionIsTrue() {
        assertThat(write("approval", APPROVED + "," + APPROVED).expect(422).message())
                .isEqualTo(REFUSED + "[1].type: Duplicate value: \"Approved\"");
        assertThat(write("approval", "{\"type\":\"Denied\",\"status\":\"False\"}")
                        .expect(422)
                        .message())
                .isEqualTo(REFUSED + "[0].status: Unsupported value: \"False\": supported values: \"True\"");
        write("status", "{\"type\":\"Odd\",\"status\":\"False\"}").expect(200);
    }

    private Answer write(String subresource, String conditions) {
        return api.merge(REQUESTS + "/r/" + subresource, "{\"status\":{\"conditions\":[" + conditions + "]}}");
    }

    private Answer sign(String certificate) {
        return api.merge(REQUESTS + "/r/status", "{\"status\":{\"certificate\":\"" + certificate + "\"}}");
    }

    private static void assertTimes(Answer answer, String updated, String changed) {
        assertThat(answer.expect(200).at("/status/conditions/0/lastUpdateTime")).isEqualTo(updated);
        assertThat(answer.at("/status/conditions/0/lastTransitionTime")).isEqualTo(changed);
    }
}
