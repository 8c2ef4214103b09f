package io.fairlead.hosted.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.hosted.view.HostedViews;
import io.fairlead.model.UserInfo;
import io.fairlead.storage.MemoryStore;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What kube-apiserver's admission plugins for certificates refuse, refuses a whole cluster. The messages were taken from a
 * kube-apiserver 1.36.
 */
class SigningRightsTest {
    private static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String FORBIDDEN = "certificatesigningrequests.certificates.k8s.io \"%s\" is forbidden: ";
    private static final String APPROVAL =
            "{\"status\":{\"conditions\":[{\"type\":\"Approved\",\"status\":\"True\",\"reason\":\"r\"}]}}";
    private static final String FAILURE =
            "{\"status\":{\"conditions\":[{\"type\":\"Failed\",\"status\":\"True\",\"reason\":\"r\"}]}}";
    private static final String CERTIFICATE = "{\"status\":{\"certificate\":\"" + SigningFixture.CERTIFICATE + "\"}}";

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final HostedClusters clusters = new HostedClusters(
            new MemoryStore(),
            Fixture.settings(64, 64),
            HostedViews.factory(InstantSource.system()),
            List.of(),
            "CERTIFICATES",
            InstantSource.system(),
            scheduler);
    private final Api admin = new Api(clusters.open(Fixture.ALL, BuiltIns.ALL));
    private final Api joe = admin.as(UserInfo.of("joe", List.of(UserInfo.AUTHENTICATED)));

    @BeforeEach
    void grant() {
        admin.create(RBAC + "clusterroles", """
            metadata: {name: requests}
            rules:
            - {apiGroups: [certificates.k8s.io], resources: ["certificatesigningrequests", "certificatesigningrequests/*"], verbs: ["*"]}
            - {apiGroups: [certificates.k8s.io], resources: [signers], resourceNames: ["good.io/*"], verbs: [approve, sign]}
            - {apiGroups: [certificates.k8s.io], resources: [signers], resourceNames: [half.io/x], verbs: [approve]}
            """).expect(201);
        admin.create(RBAC + "clusterrolebindings", """
            metadata: {name: requests}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: requests}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: joe}]
            """).expect(201);
    }

    @AfterEach
    void close() {
        clusters.close();
        scheduler.shutdownNow();
    }

    @Test
    void approval_needsTheVerbApproveOnTheSigner() {
        request("bad", "bad.io/x").expect(201);
        request("good", "good.io/x").expect(201);
        request("half", "half.io/x").expect(201);
        request("other", "half.io/y").expect(201);

        for (String body : List.of(APPROVAL, FAILURE, "{\"status\":{\"conditions\":[]}}")) {
            assertThat(joe.merge(REQUESTS + "/bad/approval", body).expect(403).message())
                    .isEqualTo(FORBIDDEN.formatted("bad")
                            + "user not permitted to approve requests with signerName \"bad.io/x\"");
        }
        assertThat(joe.merge(REQUESTS + "/other/approval", APPROVAL).expect(403).message())
                .endsWith("signerName \"half.io/y\"");
        joe.merge(REQUESTS + "/good/approval", APPROVAL).expect(200);
        joe.merge(REQUESTS + "/half/approval", APPROVAL).expect(200);
        admin.merge(REQUESTS + "/bad/approval", APPROVAL).expect(200);
    }

    @Test
    void signing_needsTheVerbSignOnTheSigner() {
        request("good", "good.io/x").expect(201);
        request("half", "half.io/x").expect(201);

        for (String body : List.of(CERTIFICATE, FAILURE)) {
            assertThat(joe.merge(REQUESTS + "/half/status", body).expect(403).message())
                    .isEqualTo(FORBIDDEN.formatted("half")
                            + "user not permitted to sign requests with signerName \"half.io/x\"");
        }
        joe.merge(REQUESTS + "/half/status", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                .expect(200);
        joe.merge(REQUESTS + "/good/status", CERTIFICATE).expect(200);
        admin.merge(REQUESTS + "/half/status", CERTIFICATE).expect(200);
    }

    @Test
    void invalidWrite_isRefusedAsThat_whateverTheRights() {
        request("bad", "bad.io/x").expect(201);

        joe.merge(REQUESTS + "/bad/status", APPROVAL).expect(422);
        joe.merge(REQUESTS + "/bad/approval", APPROVAL.replace("True", "False")).expect(422);
    }

    @Test
    void membershipOfMasters_isNotRequested() {
        String signer = "kubernetes.io/kube-apiserver-client";

        for (Api client : List.of(joe, admin)) {
            assertThat(request(client, "m", signer, SigningFixture.REQUEST_OF_MASTERS)
                            .expect(403)
                            .message())
                    .isEqualTo(FORBIDDEN.formatted("m") + "use of kubernetes.io/kube-apiserver-client signer with"
                            + " system:masters group is not allowed");
        }
        request("plain", signer).expect(201);
        request(joe, "elsewhere", "good.io/x", SigningFixture.REQUEST_OF_MASTERS)
                .expect(201);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void requestOfMastersBesideAnother_isNotTaken(boolean isFirst) {
        String plain = decoded(SigningFixture.REQUEST);
        String masters = decoded(SigningFixture.REQUEST_OF_MASTERS);
        String both = isFirst ? masters + plain : plain + masters;

        assertThat(request(
                                joe,
                                "m",
                                "kubernetes.io/kube-apiserver-client",
                                Base64.getEncoder().encodeToString(both.getBytes(UTF_8)))
                        .expect(403)
                        .message())
                .isEqualTo(FORBIDDEN.formatted("m")
                        + "failed to parse CSR: there must be one PEM block, of type CERTIFICATE REQUEST");
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), UTF_8);
    }

    private Answer request(String name, String signer) {
        return request(joe, name, signer, SigningFixture.REQUEST);
    }

    private static Answer request(Api client, String name, String signer, String request) {
        return client.create(REQUESTS, """
            apiVersion: certificates.k8s.io/v1
            kind: CertificateSigningRequest
            metadata: {name: %s}
            spec: {signerName: %s, usages: [client auth], request: %s}
            """.formatted(name, signer, request));
    }
}
