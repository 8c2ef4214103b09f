package io.fairlead.hosted.cluster;

import static io.fairlead.hosted.cluster.TokensFixture.ACCOUNTS;
import static io.fairlead.hosted.cluster.TokensFixture.PODS;
import static io.fairlead.hosted.cluster.TokensFixture.SECRETS;
import static io.fairlead.hosted.cluster.TokensFixture.claims;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.TokenVerdict;
import io.fairlead.model.ClusterName;
import io.fairlead.model.UserInfo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** A token is accepted as long as what it claims holds, and no longer. */
class TokenVerificationTest {
    private static final String EXTRA = "authentication.kubernetes.io/";
    private static final String GONE = "service account token has been invalidated";

    private final TokensFixture fixture = new TokensFixture();
    private final Api api = fixture.api();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void token_isItsServiceAccount() {
        String token = fixture.token("default", "{}");

        assertThat(fixture.verdict(token))
                .isEqualTo(new TokenVerdict.Accepted(
                        new UserInfo(
                                "system:serviceaccount:default:default",
                                api.get(ACCOUNTS + "/default").at("/metadata/uid"),
                                List.of("system:serviceaccounts", "system:serviceaccounts:default"),
                                Map.of(
                                        EXTRA + "credential-id",
                                        List.of("JTI="
                                                + claims(token).path("jti").asString("")))),
                        List.of(TokensFixture.ISSUER)));
    }

    @Test
    void tokenOfAPod_saysWhereItRuns() {
        String node = api.create("/api/v1/nodes", "metadata: {name: node}")
                .expect(201)
                .at("/metadata/uid");
        String pod = pod("node");

        UserInfo user = user(fixture.token("default", bound("Pod", "p")));

        assertThat(user.extra())
                .containsEntry(EXTRA + "pod-name", List.of("p"))
                .containsEntry(EXTRA + "pod-uid", List.of(pod))
                .containsEntry(EXTRA + "node-name", List.of("node"))
                .containsEntry(EXTRA + "node-uid", List.of(node));
    }

    @Test
    void tokenOfANode_namesTheNode() {
        api.create("/api/v1/nodes", "metadata: {name: node}").expect(201);

        assertThat(user(fixture.token("default", bound("Node", "node"))).extra())
                .containsEntry(EXTRA + "node-name", List.of("node"))
                .doesNotContainKey(EXTRA + "pod-name");
    }

    @Test
    void nodeOfAPod_isSaid_andNotChecked() {
        api.create("/api/v1/nodes", "metadata: {name: node}").expect(201);
        pod("node");
        String token = fixture.token("default", bound("Pod", "p"));

        api.delete("/api/v1/nodes/node").expect(200);

        assertThat(user(token).extra()).containsEntry(EXTRA + "node-name", List.of("node"));
    }

    @Test
    void token_survivesARestart_andSoDoesItsKey() {
        String token = fixture.token("default", "{}");
        String keyId = fixture.signingKeys().getFirst().keyId();

        fixture.restart();

        user(token);
        assertThat(TokensFixture.header(fixture.token("default", "{}"))
                        .path("kid")
                        .asString(""))
                .isEqualTo(keyId);
        assertThat(fixture.signingKeys()).hasSize(1);
    }

    @Test
    void token_isRefused_fromTheSecondOnAtWhichItExpires() {
        String token = fixture.token("default", "spec: {expirationSeconds: 600}");
        fixture.pass(Duration.ofSeconds(599));
        user(token);

        fixture.pass(Duration.ofSeconds(1));
        assertThat(fixture.refusal(token)).isEqualTo("service account token has expired");
        fixture.pass(Duration.ofSeconds(1));
        assertThat(fixture.refusal(token)).isEqualTo("service account token has expired");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nbf", "iat"})
    void tokenOfTheFuture_isRefused_unlessTheClockWasSetBackALittle(String claim) {
        ObjectNode claims = claims(fixture.token("default", "{}"));
        long now = TokensFixture.START.getEpochSecond();

        user(fixture.signed(claims.deepCopy().put(claim, now + 60)));
        assertThat(fixture.refusal(fixture.signed(claims.put(claim, now + 61))))
                .isEqualTo(
                        claim.equals("nbf")
                                ? "service account token is not valid yet"
                                : "service account token is issued in the future");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exp", "nbf", "iat"})
    void tokenWithoutATime_isRefused(String claim) {
        ObjectNode claims = claims(fixture.token("default", "{}"));

        assertThat(fixture.refusal(fixture.signed(claims.deepCopy().without(claim))))
                .isEqualTo(claim + " claim is missing");
        assertThat(fixture.refusal(fixture.signed(claims.put(claim, "9999999999"))))
                .isEqualTo(claim + " claim is missing");
    }

    @Test
    void tokenForOthers_isRefused() {
        assertThat(fixture.refusal(fixture.token("default", "spec: {audiences: [vault, \"a\\\"b\"]}")))
                .isEqualTo("token audiences [\"vault\" \"a\\\"b\"] is invalid for the target audiences"
                        + " [\"https://kubernetes.default.svc.cluster.local\"]");
        user(fixture.token("default", "spec: {audiences: [vault, \"https://kubernetes.default.svc.cluster.local\"]}"));
    }

    @Test
    void tokenOfADeletedAccount_isRefused_alsoOnceThereIsAnotherOneOfThatName() {
        api.create(ACCOUNTS, "metadata: {name: robot}").expect(201);
        String token = fixture.token("robot", "{}");
        String uid = api.get(ACCOUNTS + "/robot").at("/metadata/uid");
        user(token);

        api.delete(ACCOUNTS + "/robot").expect(200);
        assertThat(fixture.refusal(token)).isEqualTo("serviceaccounts \"robot\" not found");
        api.create(ACCOUNTS, "metadata: {name: robot}").expect(201);
        String other = api.get(ACCOUNTS + "/robot").at("/metadata/uid");

        assertThat(fixture.refusal(token))
                .isEqualTo("service account UID (" + other + ") does not match claim (" + uid + ")");
        user(fixture.token("robot", "{}"));
    }

    @Test
    void tokenOfAnAccount_thatIsBeingDeleted_isRefused() {
        api.create(ACCOUNTS, "metadata: {name: robot, finalizers: [example.com/stays]}")
                .expect(201);
        String token = fixture.token("robot", "{}");

        api.delete(ACCOUNTS + "/robot").expect(200);

        assertThat(fixture.refusal(token)).isEqualTo("service account default/robot has been deleted");
    }

    @Test
    void tokenOfADeletedSecret_isRefused_alsoOnceThereIsAnotherOneOfThatName() {
        api.create(SECRETS, "metadata: {name: s}").expect(201);
        String token = fixture.token("default", bound("Secret", "s"));
        user(token);

        api.delete(SECRETS + "/s").expect(200);
        assertThat(fixture.refusal(token)).isEqualTo(GONE);
        api.create(SECRETS, "metadata: {name: s}").expect(201);

        assertThat(fixture.refusal(token))
                .startsWith("secret UID (")
                .contains(") does not match service account secret ref claim (");
    }

    @Test
    void tokenOfASecret_thatIsBeingDeleted_isRefused() {
        api.create(SECRETS, "metadata: {name: s, finalizers: [example.com/stays]}")
                .expect(201);
        String token = fixture.token("default", bound("Secret", "s"));

        api.delete(SECRETS + "/s").expect(200);

        assertThat(fixture.refusal(token)).isEqualTo(GONE);
    }

    @Test
    void tokenOfADeletedPodOrNode_isRefused() {
        api.create("/api/v1/nodes", "metadata: {name: node}").expect(201);
        pod("");
        String ofPod = fixture.token("default", bound("Pod", "p"));
        String ofNode = fixture.token("default", bound("Node", "node"));

        api.delete(PODS + "/p", "{\"gracePeriodSeconds\":0}");
        api.delete("/api/v1/nodes/node").expect(200);

        assertThat(fixture.refusal(ofPod)).isEqualTo(GONE);
        assertThat(fixture.refusal(ofNode)).isEqualTo(GONE);
    }

    @Test
    void clusters_doNotAcceptEachOthersTokens() {
        ClusterName other = new ClusterName("other");
        String theirs = TokensFixture.token(fixture.api(other), "default", "{}");

        assertThat(fixture.refusal(theirs)).isEqualTo("invalid signature, no keys found");
        fixture.token("default", "{}");
        assertThat(fixture.refusal(theirs)).isEqualTo("invalid signature, no keys found");
    }

    @Test
    void clusterOfTheSameName_thatWasMadeAnew_acceptsNoOldToken_andTheOldKeyIsDeleted() {
        String token = fixture.token("default", "{}");
        String keyId = fixture.signingKeys().getFirst().keyId();

        fixture.clusters().delete(Fixture.DEV);

        Fixture.eventually("the key is deleted", () -> fixture.signingKeys().isEmpty());
        assertThat(fixture.refusal(token)).isEqualTo("invalid signature, no keys found");
        fixture.token("default", "{}");
        assertThat(fixture.signingKeys().getFirst().keyId()).isNotEqualTo(keyId);
        assertThat(fixture.refusal(token)).isEqualTo("invalid signature, no keys found");
    }

    @Test
    void copyOfACluster_hasAKeyOfItsOwn() throws Exception {
        String token = fixture.token("default", "{}");
        byte[] archive;
        try (var pieces = fixture.clusters().archives().of(Fixture.DEV).orElseThrow()) {
            var whole = new java.io.ByteArrayOutputStream();
            for (byte[] piece = pieces.next(); piece != null; piece = pieces.next()) {
                whole.writeBytes(piece);
            }
            archive = whole.toByteArray();
        }
        ClusterName copy = new ClusterName("copy");
        fixture.clusters().archives().add(copy, 0, archive, true);

        TokenVerdict verdict = fixture.clusters().open(copy).userOfToken(token);

        assertThat(verdict).isEqualTo(new TokenVerdict.Refused("invalid signature, no keys found"));
        assertThat(new String(archive, java.nio.charset.StandardCharsets.UTF_8)).doesNotContain("\"d\"", "P-256");
        user(token);
    }

    private UserInfo user(String token) {
        return switch (fixture.verdict(token)) {
            case TokenVerdict.Accepted accepted -> accepted.user();
            case TokenVerdict.Foreign foreign -> throw new AssertionError(foreign);
            case TokenVerdict.Refused refused -> throw new AssertionError(refused);
        };
    }

    private String pod(String node) {
        return api.create(PODS, """
            metadata: {name: p}
            spec: {serviceAccountName: default, nodeName: "%s", containers: [{name: c, image: nginx}]}
            """.formatted(node)).expect(201).at("/metadata/uid");
    }

    private static String bound(String kind, String name) {
        return "spec: {boundObjectRef: {apiVersion: v1, kind: " + kind + ", name: " + name + "}}";
    }
}
