package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.SECRETS;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.http.MutableFields;
import io.fairlead.http.Transport;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.UpgradeReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import io.fairlead.schema.json.Yaml;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.node.ObjectNode;

/** A token of an attached cluster, with an API server and a clock that are a test's own. */
abstract class TokenRenewalsFixture {
    static final ClusterName PROD = new ClusterName("prod");
    static final Instant ISSUED = Instant.parse("2026-01-01T00:00:00Z");
    static final Duration LIFETIME = Duration.ofHours(3);
    static final Instant DUE = ISSUED.plus(Duration.ofHours(2));
    static final String OLD = token("old", ISSUED, ISSUED.plus(LIFETIME));
    static final String NEW = token("new", DUE, DUE.plus(LIFETIME));
    static final String BY_KUBECONFIG = "{kubeconfigSecretRef: {name: kube}, renewToken: true}";

    static final Finding SCHEDULED = Finding.yes(
            "Scheduled",
            "the token of ServiceAccount fairlead-system/fairlead is good until 2026-01-01T03:00:00Z, and is renewed"
                    + " from 2026-01-01T02:00:00Z on");
    static final Finding REFUSED = Finding.no(
            "RenewalFailed",
            "the token is good until 2026-01-01T03:00:00Z and was not renewed: it answers 403: not allowed; tried again"
                    + " every 5 min at least");

    final RootCluster root = new RootCluster(_ -> Optional.empty());
    final EventLoop loop = new DefaultEventLoop();
    final ApiServer server = new ApiServer();
    final List<ClusterName> turns = new ArrayList<>();
    final String uid = root.registered("prod");
    Instant now = DUE;
    final TokenRenewals renewals = new TokenRenewals(new RootApi(root.root), () -> now, turns::add);

    @AfterEach
    void close() {
        root.close();
        Transport.end(loop, Duration.ofSeconds(1)).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    Optional<Finding> look(String attached, String token) {
        ObjectNode cluster = (ObjectNode)
                Yaml.read(("{metadata: {name: prod}, spec: {attached: " + attached + "}}").getBytes(UTF_8));
        return ClusterSpec.of(cluster) instanceof ClusterSpec.Attached spec
                ? renewals.look(PROD, uid, spec, token, server)
                : Optional.empty();
    }

    void storeKubeconfig(String token) {
        root.secret("kube", "kubeconfig", kubeconfig(token));
        own("kube", "prod");
    }

    void own(String secret, String owner) {
        root.send(
                ADMIN,
                "PATCH",
                SECRETS + "/" + secret,
                "{metadata: {ownerReferences: [{apiVersion: fairlead.io/v1alpha1, kind: Cluster, name: " + owner
                        + ", uid: " + root.cluster(owner).at("/metadata/uid").asString("") + "}]}}");
    }

    void annotate(String annotation, String value) {
        root.send(
                ADMIN, "PATCH", SECRETS + "/kube", "{metadata: {annotations: {" + annotation + ": '" + value + "'}}}");
    }

    Target stored() throws Exception {
        byte[] text =
                Base64.getDecoder().decode(secret("kube").at("/data/kubeconfig").asString(""));
        return Target.of(Kubeconfig.parse(new String(text, UTF_8), "k"), null, null);
    }

    ObjectNode secret(String name) {
        return root.send(ADMIN, "GET", SECRETS + "/" + name, "").body();
    }

    static String kubeconfig(String token) {
        return """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: 'https://10.0.0.1/k8s/clusters/c-1', certificate-authority-data: Q0E=}}]
            users: [{name: u, user: {token: '%s'}}]
            contexts: [{name: c, context: {cluster: c, user: u}}]
            current-context: c
            """.formatted(token);
    }

    static String token(String id, Instant issued, Instant ends) {
        return jwt("{\"sub\":\"system:serviceaccount:fairlead-system:fairlead\",\"jti\":\"%s\",\"iat\":%d,\"exp\":%d}"
                .formatted(id, issued.getEpochSecond(), ends.getEpochSecond()));
    }

    static String jwt(String claims) {
        return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(UTF_8)) + ".sig";
    }

    /** Answers the last request when it is told to. */
    final class ApiServer implements Upstream {
        final List<String> asked = new ArrayList<>();
        String body = "";
        private @Nullable ResponseReceiver receiver;

        void answer(int status, String text) {
            ResponseReceiver hears = receiver;
            if (hears != null) {
                hears.onHead(status, new MutableFields());
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
