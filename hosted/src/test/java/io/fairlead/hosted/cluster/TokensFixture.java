package io.fairlead.hosted.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.credentials.jwt.SigningKey;
import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TokenVerdict;
import io.fairlead.hosted.view.HostedViews;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import tools.jackson.databind.node.ObjectNode;

/** A cluster with every built-in kind and its real views, whose tokens are asked for, forged and presented. */
final class TokensFixture implements AutoCloseable {
    static final String ISSUER = "https://kubernetes.default.svc.cluster.local";
    static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
    static final String SECRETS = "/api/v1/namespaces/default/secrets";
    static final String PODS = "/api/v1/namespaces/default/pods";
    static final String SYSTEM_NAMESPACE = "/api/v1/namespaces/kube-system";
    static final Instant START = Instant.parse("2026-11-27T12:00:00Z");

    final RevisionedStore store;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private volatile Instant now = START;
    private HostedClusters clusters;

    TokensFixture() {
        this(new MemoryStore());
    }

    /** Over a store that a test listens in on. */
    TokensFixture(RevisionedStore store) {
        this.store = store;
        this.clusters = open();
    }

    private HostedClusters open() {
        return new HostedClusters(
                store,
                Fixture.settings(64, 64),
                HostedViews.factory(() -> now),
                List.of(),
                "CERTIFICATES",
                () -> now,
                scheduler);
    }

    HostedClusters clusters() {
        return clusters;
    }

    HostedCluster dev() {
        return clusters.open(Fixture.DEV, BuiltIns.ALL);
    }

    Api api() {
        return new Api(dev());
    }

    Api api(ClusterName name) {
        return new Api(clusters.open(name));
    }

    /** Lets time pass. */
    void pass(Duration time) {
        now = now.plus(time);
    }

    /** Ends the process and begins another one over the same data. */
    void restart() {
        clusters.close();
        clusters = open();
    }

    /** A token of a ServiceAccount, as the answer to a request in YAML has it. */
    String token(String account, String request) {
        return token(api(), account, request);
    }

    static String token(Api api, String account, String request) {
        return api.create(ACCOUNTS + "/" + account + "/token", request)
                .expect(201)
                .at("/status/token");
    }

    TokenVerdict verdict(String token) {
        return dev().userOfToken(token);
    }

    /** Why a token is refused; "foreign" if it is not even known. */
    String refusal(String token) {
        return switch (verdict(token)) {
            case TokenVerdict.Accepted accepted -> throw new AssertionError("accepted: " + accepted);
            case TokenVerdict.Foreign _ -> "foreign";
            case TokenVerdict.Refused(String why) -> why;
        };
    }

    static ObjectNode claims(String token) {
        return part(token, 1);
    }

    static ObjectNode header(String token) {
        return part(token, 0);
    }

    private static ObjectNode part(String token, int index) {
        return (ObjectNode) Json.read(Base64.getUrlDecoder().decode(token.split("\\.", -1)[index].getBytes(UTF_8)));
    }

    /** Claims, signed by the newest key of the cluster. */
    String signed(ObjectNode claims) {
        return signingKeys().getFirst().sign(Json.write(claims));
    }

    /** What only the store has: the private keys of the one cluster that has some, the newest first. */
    List<SigningKey> signingKeys() {
        return store.list("/signing-keys/", null, 0, store.revision()).stream()
                .flatMap(entry -> Json.read(entry.value()).path("keys").valueStream())
                .map(each -> SigningKey.read(Json.text(each.path("key"))))
                .toList();
    }

    @Override
    public void close() {
        clusters.close();
        scheduler.shutdownNow();
        store.close();
    }
}
