package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.SECRETS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.UpgradeReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import io.fairlead.testkit.LogLines;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Tokens of ServiceAccounts are replaced before they end, and nothing else is. */
class TokenRenewalsTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final Instant ISSUED = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LIFETIME = Duration.ofHours(3);
    private static final Instant DUE = ISSUED.plus(Duration.ofHours(2));
    private static final String OLD = token("old", ISSUED, ISSUED.plus(LIFETIME));
    private static final String NEW = token("new", DUE, DUE.plus(LIFETIME));
    private static final String BY_KUBECONFIG = "{kubeconfigSecretRef: {name: kube}, renewToken: true}";

    private static final Finding SCHEDULED = Finding.yes(
            "Scheduled",
            "the token of ServiceAccount fairlead-system/fairlead is good until 2026-01-01T03:00:00Z, and is renewed"
                    + " from 2026-01-01T02:00:00Z on");
    private static final Finding REFUSED = Finding.no(
            "RenewalFailed",
            "the token is good until 2026-01-01T03:00:00Z and was not renewed: it answers 403: not allowed; tried again"
                    + " every 5 min at least");

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final EventLoop loop = new DefaultEventLoop();
    private final ApiServer server = new ApiServer();
    private final List<ClusterName> turns = new ArrayList<>();
    private final String uid = root.registered("prod");
    private Instant now = DUE;
    private final TokenRenewals renewals = new TokenRenewals(new RootApi(root.root), () -> now, turns::add);

    @AfterEach
    void close() {
        root.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    @Test
    void token_ofWhichAThirdIsLeft_isReplacedInItsKubeconfig() throws Exception {
        storeKubeconfig(OLD);

        look(BY_KUBECONFIG, OLD);
        assertThat(server.asked)
                .containsExactly("POST /api/v1/namespaces/fairlead-system/serviceaccounts/fairlead/token");
        assertThat(Json.read(server.body.getBytes(UTF_8))
                        .at("/spec/expirationSeconds")
                        .longValue())
                .isEqualTo(LIFETIME.toSeconds());
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");
        assertThat(turns).containsExactly(PROD);
        assertThat(stored().token()).isEqualTo(OLD);
        look(BY_KUBECONFIG, OLD);

        assertThat(stored().token()).isEqualTo(NEW);
        assertThat(renewals.renewed()).isOne();
        assertThat(stored().server()).hasToString("https://10.0.0.1/k8s/clusters/c-1");
        assertThat(stored().caCertificates()).isEqualTo("CA");
        look(BY_KUBECONFIG, NEW);
        assertThat(server.asked).hasSize(1);
    }

    @Test
    void token_ofACredentialSecret_isReplacedThere() {
        root.secret("token", "token", OLD);
        own("token", "prod");
        String spec = "{endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: token}, renewToken: true}";

        look(spec, OLD);
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");
        look(spec, OLD);

        assertThat(secret("token").at("/data/token").asString("")).isEqualTo(RootCluster.base64(NEW));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{kubeconfigSecretRef: {name: kube}}",
                "{kubeconfigSecretRef: {name: kube}, renewToken: false}",
            })
    void token_ofAClusterThatDoesNotSaySo_isLeft(String spec) {
        storeKubeconfig(OLD);

        assertThat(look(spec, OLD)).isEmpty();

        assertThat(server.asked).isEmpty();
    }

    /** A registration may name a Secret that its author may not write, and an API server that answers what the author likes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void token_ofASecretOfAnother_isNeverWritten(boolean isOwned) throws Exception {
        root.secret("kube", "kubeconfig", kubeconfig(OLD));
        if (isOwned) {
            root.registered("other");
            own("kube", "other");
        }

        assertThat(look(BY_KUBECONFIG, OLD))
                .contains(Finding.no(
                        "NotRenewable",
                        "its Secret does not belong to this Cluster (expected its uid in metadata.ownerReferences, as"
                                + " 'fairlead cluster attach' writes it, or no spec.attached.renewToken)"));

        assertThat(server.asked).isEmpty();
        assertThat(stored().token()).isEqualTo(OLD);
    }

    @Test
    void token_ofASecretThatWasTakenOverMeanwhile_isLeft() throws Exception {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);
        root.registered("other");
        own("kube", "other");

        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");
        look(BY_KUBECONFIG, OLD);

        assertThat(stored().token()).isEqualTo(OLD);
    }

    @Test
    void answerThatRepeatsTheToken_isToldWithoutIt() {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);

        server.answer(403, "{\"message\":\"not with " + OLD + "\"}");

        assertThat(look(BY_KUBECONFIG, OLD).orElseThrow().message())
                .contains("it answers 403: not with (the token)")
                .doesNotContain(OLD);
    }

    @Test
    void token_ofWhichMoreIsLeft_isAskedForOnceItIsDue() {
        storeKubeconfig(OLD);
        now = DUE.minusSeconds(1);
        look(BY_KUBECONFIG, OLD);
        assertThat(server.asked).isEmpty();

        now = DUE;
        look(BY_KUBECONFIG, OLD);
        look(BY_KUBECONFIG, OLD);

        assertThat(server.asked).hasSize(1);
    }

    @Test
    void token_thatIsToBeRenewedNow_isRenewedOnce() throws Exception {
        storeKubeconfig(OLD);
        now = ISSUED.plusSeconds(60);
        annotate(TokenRenewals.RENEW_AFTER, ISSUED.toString());

        look(BY_KUBECONFIG, OLD);
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");
        look(BY_KUBECONFIG, OLD);
        look(BY_KUBECONFIG, NEW);

        assertThat(stored().token()).isEqualTo(NEW);
        assertThat(secret("kube").at("/metadata/annotations").has(TokenRenewals.RENEW_AFTER))
                .isFalse();
        assertThat(server.asked).hasSize(1);
    }

    @Test
    void refusal_leavesTheToken_isACondition_andIsFollowedByAnotherAttempt() throws Exception {
        storeKubeconfig(OLD);
        try (LogLines lines = new LogLines(TokenRenewals.class)) {
            assertThat(look(BY_KUBECONFIG, OLD)).contains(SCHEDULED);
            server.answer(403, "{\"message\":\"not allowed\"}");
            assertThat(look(BY_KUBECONFIG, OLD)).contains(REFUSED);

            assertThat(lines.texts())
                    .containsExactly("WARN The token of a cluster was not renewed cluster=prod reason="
                            + REFUSED.message() + " leftOut=0");
        }
        assertThat(stored().token()).isEqualTo(OLD);
        assertThat(look(BY_KUBECONFIG, OLD)).contains(REFUSED);
        assertThat(server.asked).hasSize(1);

        now = DUE.plusSeconds(60);
        assertThat(look(BY_KUBECONFIG, OLD)).contains(REFUSED);
        assertThat(server.asked).hasSize(2);
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");
        look(BY_KUBECONFIG, OLD);
        assertThat(look(BY_KUBECONFIG, NEW)).get().extracting(Finding::status).isEqualTo(Finding.Status.TRUE);
    }

    /** Every five minutes at least, so that a cluster that comes back late is not long without a token. */
    @Test
    void refusals_areFartherApartOneByOne_andTheTokensEndIsTold() {
        storeKubeconfig(OLD);
        List<Long> pauses = new ArrayList<>();
        Instant last = now;
        for (int second = 0; pauses.size() < 7; second++) {
            now = DUE.plusSeconds(second);
            int before = server.asked.size();
            look(BY_KUBECONFIG, OLD);
            if (server.asked.size() > before) {
                pauses.add(Duration.between(last, now).toSeconds());
                last = now;
                server.answer(500, "{}");
                look(BY_KUBECONFIG, OLD);
            }
        }
        assertThat(pauses).containsExactly(0L, 60L, 120L, 240L, 300L, 300L, 300L);

        now = ISSUED.plus(LIFETIME);
        look(BY_KUBECONFIG, OLD);
        server.answer(401, "{\"message\":\"Unauthorized\"}");
        assertThat(look(BY_KUBECONFIG, OLD))
                .contains(Finding.no(
                        "RenewalFailed",
                        "the token ended at 2026-01-01T03:00:00Z and was not renewed: it answers 401: Unauthorized;"
                                + " tried again every 5 min at least"));
    }

    /** Of a clock that was set back by more than the pause. */
    @Test
    void attempt_fromTheFuture_holdsNothingUp() {
        storeKubeconfig(OLD);
        now = DUE.plus(Duration.ofHours(20));
        look(BY_KUBECONFIG, OLD);
        server.answer(500, "{}");
        look(BY_KUBECONFIG, OLD);

        now = DUE;
        look(BY_KUBECONFIG, OLD);

        assertThat(server.asked).hasSize(2);
    }

    /** Otherwise each token that is stored would have the next one asked for at once. */
    @Test
    void newToken_thatIsDueAtOnce_isStored_andNotRenewedAtOnce() throws Exception {
        storeKubeconfig(OLD);
        now = DUE.plus(Duration.ofDays(2));
        look(BY_KUBECONFIG, OLD);
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");

        assertThat(look(BY_KUBECONFIG, OLD))
                .contains(Finding.no(
                        "RenewalFailed",
                        "the token ended at 2026-01-01T05:00:00Z and was not renewed: the cluster issued it at"
                                + " 2026-01-01T02:00:00Z, and here it is 2026-01-03T02:00:00Z (expected clocks that"
                                + " agree); tried again every 5 min at least"));

        assertThat(stored().token()).isEqualTo(NEW);
        look(BY_KUBECONFIG, NEW);
        assertThat(server.asked).hasSize(1);
    }

    /** A token that works is not given up for one that does not. */
    @Test
    void newToken_thatHasEnded_isNotStoredOverAGoodOne() throws Exception {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);
        server.answer(
                201,
                "{\"status\":{\"token\":\"" + token("ended", ISSUED.minus(LIFETIME), ISSUED.minus(Duration.ofHours(1)))
                        + "\"}}");

        assertThat(look(BY_KUBECONFIG, OLD))
                .contains(Finding.no(
                        "RenewalFailed",
                        "the token is good until 2026-01-01T03:00:00Z and was not renewed: the cluster issued one that"
                                + " ended at 2025-12-31T23:00:00Z, and here it is 2026-01-01T02:00:00Z (expected clocks"
                                + " that agree); tried again every 5 min at least"));

        assertThat(stored().token()).isEqualTo(OLD);
        assertThat(renewals.failed()).isOne();
        assertThat(renewals.renewed()).isZero();
    }

    @Test
    void token_thatIsGoodForLongerThanCanBeAskedFor_isRenewedForTheLongestTime() throws Exception {
        String token = token("long", ISSUED, Instant.parse("9999-01-01T00:00:00Z"));
        storeKubeconfig(token);
        now = Instant.parse("9998-01-01T00:00:00Z");

        look(BY_KUBECONFIG, token);

        assertThat(Json.read(server.body.getBytes(UTF_8))
                        .at("/spec/expirationSeconds")
                        .longValue())
                .isEqualTo(1L << 32);
    }

    @Test
    void credentialThatIsReplaced_isNotSpokenOfAsTheOneBefore() {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);
        server.answer(500, "{}");
        look(BY_KUBECONFIG, OLD);

        assertThat(look(BY_KUBECONFIG, NEW))
                .contains(Finding.yes(
                        "Scheduled",
                        "the token of ServiceAccount fairlead-system/fairlead is good until 2026-01-01T05:00:00Z, and"
                                + " is renewed from 2026-01-01T04:00:00Z on"));
    }

    @Test
    void answer_forAClusterThatIsGone_isForgotten() throws Exception {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);
        renewals.forget(PROD);
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");

        look(BY_KUBECONFIG, OLD);

        assertThat(stored().token()).isEqualTo(OLD);
        assertThat(server.asked).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "new\\r\\nX-Injected: 1"})
    void token_thatIsNoHeaderValue_isARefusal(String head) throws Exception {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);

        server.answer(201, "{\"status\":{\"token\":\"" + head + NEW.substring(NEW.indexOf('.')) + "\"}}");

        assertThat(look(BY_KUBECONFIG, OLD)).get().extracting(Finding::status).isEqualTo(Finding.Status.FALSE);
        assertThat(stored().token()).isEqualTo(OLD);
    }

    @Test
    void token_ofAnotherAccount_isARefusal() throws Exception {
        String others = jwt("{\"sub\":\"system:serviceaccount:kube-system:admin\",\"iat\":%d,\"exp\":%d}"
                .formatted(DUE.getEpochSecond(), DUE.plus(LIFETIME).getEpochSecond()));
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);

        server.answer(201, "{\"status\":{\"token\":\"" + others + "\"}}");

        assertThat(look(BY_KUBECONFIG, OLD).orElseThrow().message())
                .contains("it answers without a token of fairlead-system/fairlead that ends");
        assertThat(stored().token()).isEqualTo(OLD);
    }

    @Test
    void refusal_thatIsLong_isToldInPart() {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);

        server.answer(403, "{\"message\":\"" + "x".repeat(60_000) + "\"}");

        assertThat(look(BY_KUBECONFIG, OLD).orElseThrow().message()).hasSizeLessThan(1_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"status\":{\"token\":\"opaque\"}}", "no json"})
    void answerWithoutATokenThatEnds_isARefusal(String answer) throws Exception {
        storeKubeconfig(OLD);

        look(BY_KUBECONFIG, OLD);
        server.answer(201, answer);
        look(BY_KUBECONFIG, OLD);

        assertThat(stored().token()).isEqualTo(OLD);
    }

    @Test
    void answerThatDoesNotCome_isARefusalInTime() throws Exception {
        BoundToken token = BoundToken.of(OLD).orElseThrow();

        assertThat(TokenRequest.send(server, token, OLD, Duration.ofMillis(20)).get(20, TimeUnit.SECONDS))
                .isEqualTo(new TokenRequest.Refused("it did not answer within 20 ms"));
    }

    @Test
    void credentialThatWasChangedMeanwhile_isKept() throws Exception {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);
        String others = token("others", ISSUED, ISSUED.plus(LIFETIME));
        root.send(
                ADMIN,
                "PATCH",
                SECRETS + "/kube",
                "{data: {kubeconfig: " + RootCluster.base64(kubeconfig(others)) + "}}");

        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");
        look(BY_KUBECONFIG, OLD);

        assertThat(stored().token()).isEqualTo(others);
    }

    @Test
    void secretThatAFileDeclares_isLeft() throws Exception {
        storeKubeconfig(OLD);
        annotate(SourceFile.ANNOTATION, "prod.yaml");

        assertThat(look(BY_KUBECONFIG, OLD))
                .contains(Finding.no(
                        "DeclaredByFile",
                        "the token is good until 2026-01-01T03:00:00Z and is not renewed: a file declares its Secret,"
                                + " and would put the old token back (expected a Secret that no file declares, or no"
                                + " spec.attached.renewToken)"));

        assertThat(server.asked).isEmpty();
        assertThat(stored().token()).isEqualTo(OLD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"opaque", "a.b.c"})
    void tokenThatDoesNotSayThatItEnds_isNotRenewed(String token) {
        storeKubeconfig(token);

        assertThat(look(BY_KUBECONFIG, token))
                .contains(Finding.no(
                        "NotRenewable",
                        "its credential is no token of a ServiceAccount that ends (expected one, or no"
                                + " spec.attached.renewToken)"));
        assertThat(server.asked).isEmpty();
    }

    @Test
    void boundToken_ofAnotherSubject_isNone() {
        assertThat(BoundToken.of(OLD)).isPresent();
        assertThat(BoundToken.of(jwt("{\"sub\":\"jane\",\"iat\":1,\"exp\":2}"))).isEmpty();
        assertThat(BoundToken.of(jwt("{\"sub\":\"system:serviceaccount:a:../b\",\"iat\":1,\"exp\":2}")))
                .isEmpty();
        assertThat(BoundToken.of(jwt("{\"sub\":\"system:serviceaccount:a:b\"}")))
                .isEmpty();
        assertThat(BoundToken.of(jwt("{\"sub\":\"system:serviceaccount:a:b\",\"iat\":2,\"exp\":2}")))
                .as("ended before it was issued")
                .isEmpty();
        for (String odd : List.of("-1", "1e9", "9223372036854775807", "92233720368547758070", "\"2\"")) {
            assertThat(BoundToken.of(jwt("{\"sub\":\"system:serviceaccount:a:b\",\"iat\":1,\"exp\":" + odd + "}")))
                    .as(odd)
                    .isEmpty();
        }
    }

    private Optional<Finding> look(String attached, String token) {
        ObjectNode cluster = (ObjectNode)
                Yaml.read(("{metadata: {name: prod}, spec: {attached: " + attached + "}}").getBytes(UTF_8));
        return ClusterSpec.of(cluster) instanceof ClusterSpec.Attached spec
                ? renewals.look(PROD, uid, spec, token, server)
                : Optional.empty();
    }

    private void storeKubeconfig(String token) {
        root.secret("kube", "kubeconfig", kubeconfig(token));
        own("kube", "prod");
    }

    private void own(String secret, String owner) {
        root.send(
                ADMIN,
                "PATCH",
                SECRETS + "/" + secret,
                "{metadata: {ownerReferences: [{apiVersion: fairlead.io/v1alpha1, kind: Cluster, name: " + owner
                        + ", uid: " + root.cluster(owner).at("/metadata/uid").asString("") + "}]}}");
    }

    private void annotate(String annotation, String value) {
        root.send(
                ADMIN, "PATCH", SECRETS + "/kube", "{metadata: {annotations: {" + annotation + ": '" + value + "'}}}");
    }

    private Target stored() throws Exception {
        byte[] text =
                Base64.getDecoder().decode(secret("kube").at("/data/kubeconfig").asString(""));
        return Target.of(Kubeconfig.parse(new String(text, UTF_8), "k"), null, null);
    }

    private ObjectNode secret(String name) {
        return root.send(ADMIN, "GET", SECRETS + "/" + name, "").body();
    }

    private static String kubeconfig(String token) {
        return """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: 'https://10.0.0.1/k8s/clusters/c-1', certificate-authority-data: Q0E=}}]
            users: [{name: u, user: {token: '%s'}}]
            contexts: [{name: c, context: {cluster: c, user: u}}]
            current-context: c
            """.formatted(token);
    }

    private static String token(String id, Instant issued, Instant ends) {
        return jwt("{\"sub\":\"system:serviceaccount:fairlead-system:fairlead\",\"jti\":\"%s\",\"iat\":%d,\"exp\":%d}"
                .formatted(id, issued.getEpochSecond(), ends.getEpochSecond()));
    }

    private static String jwt(String claims) {
        return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(UTF_8)) + ".sig";
    }

    /** Answers the last request when it is told to. */
    private final class ApiServer implements Upstream {
        private final List<String> asked = new ArrayList<>();
        private String body = "";
        private @Nullable ResponseReceiver receiver;

        void answer(int status, String text) {
            ResponseReceiver hears = receiver;
            if (hears != null) {
                hears.onHead(status, EmptyHttpHeaders.INSTANCE);
                hears.onData(Unpooled.copiedBuffer(text, UTF_8));
                hears.onEnd();
            }
        }

        @Override
        public Exchange send(
                RequestHead head, Kind kind, @Nullable EventLoop preferredLoop, ResponseReceiver newReceiver) {
            asked.add(head.method() + " " + head.target());
            receiver = newReceiver;
            return new Sent();
        }

        @Override
        public Exchange upgrade(RequestHead head, String protocols, EventLoop on, UpgradeReceiver newReceiver) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void reconfigure(UpstreamSpec spec) {}

        @Override
        public void close() {}

        private final class Sent implements Exchange {
            @Override
            public EventLoop eventLoop() {
                return loop;
            }

            @Override
            public void write(ByteBuf data) {
                body = data.toString(UTF_8);
                data.release();
            }

            @Override
            public void end() {}

            @Override
            public boolean isWritable() {
                return true;
            }

            @Override
            public void reading(boolean on) {}

            @Override
            public void cancel() {}
        }
    }
}
