package io.fairlead.fleet.aggregation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.credentials.pki.KeyedCertificate;
import io.fairlead.credentials.pki.SigningAuthority;
import io.fairlead.fleet.UpstreamIdentity.RequestHeader;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ObjectCalls;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What Fairlead proves itself by to the backends of a hosted cluster: a client certificate of a CA that is that cluster's alone, so
 * that no backend of one cluster takes it for the front proxy of another. The CA is in a Secret of the root cluster, which is made
 * when it is needed first and lasts as long as the cluster; backends read its certificate from the ConfigMap {@code
 * extension-apiserver-authentication} (Kubernetes' documentation of the aggregation layer).
 *
 * <p>Threads: one.
 */
final class FrontProxies {
    static final String COMMON_NAME = "front-proxy-client";

    /**
     * Begins the names of Secrets, before the cluster's name and the uid of its namespace {@code kube-system}: a copy has the uid of
     * its original, and must not pass for it; a cluster that gets the name later has another uid.
     */
    private static final String SECRET_PREFIX = "front-proxy-";

    private static final String CLUSTER = "fairlead.io/cluster";
    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/kube-system/configmaps";
    private static final String CONFIG_MAP = "extension-apiserver-authentication";
    private static final int BYTES_MAX = 1 << 20;

    private final RootApi api;
    private final InstantSource clock;

    FrontProxies(RootApi api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    /**
     * As which Fairlead comes.
     *
     * @param ca PEM
     * @param client the certificate and its key, PEM
     */
    record Proof(String ca, KeyedCertificate client) {
        /** Omits the private key. */
        @Override
        public String toString() {
            return "Proof[]";
        }
    }

    /**
     * That of a cluster, told to its backends.
     *
     * @throws IllegalArgumentException if the Secret cannot be used
     */
    Proof of(ClusterName cluster, ObjectCalls calls) throws CallFailure, InterruptedException {
        String uid = Json.read(calls.read("/api/v1/namespaces/kube-system", BYTES_MAX))
                .at("/metadata/uid")
                .asString("");
        SigningAuthority authority = authority(SECRET_PREFIX + cluster + "-" + uid, cluster);
        tell(authority.certificate(), calls);
        return new Proof(authority.certificate(), authority.client(COMMON_NAME, clock.instant()));
    }

    private SigningAuthority authority(String name, ClusterName cluster) {
        Optional<ObjectNode> found = api.get(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, name);
        if (found.isEmpty()) {
            api.createIfAbsent(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, made(name, cluster));
            found = api.get(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, name);
        }
        JsonNode data = found.orElseThrow(() -> new IllegalArgumentException("the Secret " + name + " is not there"))
                .path("data");
        try {
            return SigningAuthority.of(text(data, CERTIFICATE), text(data, KEY), clock.instant());
        } catch (IllegalArgumentException unusable) {
            throw new IllegalArgumentException("the Secret " + name + ": " + unusable.getMessage(), unusable);
        }
    }

    private ObjectNode made(String name, ClusterName cluster) {
        KeyedCertificate ca = SigningAuthority.create("front-proxy-of-" + cluster, clock.instant())
                .keyed();
        ObjectNode secret =
                Json.object().put("apiVersion", "v1").put("kind", "Secret").put("type", "kubernetes.io/tls");
        ObjectNode metadata = secret.putObject("metadata").put("name", name).put("namespace", RootApi.SYSTEM_NAMESPACE);
        metadata.putObject("annotations").put(CLUSTER, cluster.toString());
        secret.putObject("data").put(CERTIFICATE, encoded(ca.certificate())).put(KEY, encoded(ca.key()));
        return secret;
    }

    /** What else the ConfigMap says stays. */
    private static void tell(String ca, ObjectCalls calls) throws CallFailure, InterruptedException {
        Map<String, String> told = Map.of(
                "requestheader-client-ca-file", ca,
                "requestheader-allowed-names", list(COMMON_NAME),
                "requestheader-username-headers", list(RequestHeader.PREFIX + "User"),
                "requestheader-uid-headers", list(RequestHeader.PREFIX + "Uid"),
                "requestheader-group-headers", list(RequestHeader.PREFIX + "Group"),
                "requestheader-extra-headers-prefix", list(RequestHeader.PREFIX + "Extra-"));
        try {
            ObjectNode map = (ObjectNode) Json.read(calls.read(CONFIG_MAPS + "/" + CONFIG_MAP, BYTES_MAX));
            ObjectNode before = map.deepCopy();
            told.forEach(map.withObjectProperty("data")::put);
            if (!map.equals(before)) {
                calls.replace(CONFIG_MAPS + "/" + CONFIG_MAP, map);
            }
        } catch (CallFailure failure) {
            if (failure.code() != 404) {
                throw failure;
            }
            ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
            map.putObject("metadata").put("name", CONFIG_MAP).put("namespace", "kube-system");
            ObjectNode data = map.putObject("data");
            told.forEach(data::put);
            calls.post(CONFIG_MAPS, map);
        }
    }

    /** Deletes the Secrets of clusters that are not registered any more. */
    void sweep(Set<ClusterName> registered) {
        List<String> left = new ArrayList<>();
        api.forEach(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, secret -> {
            String name = secret.at("/metadata/name").asString("");
            String cluster =
                    secret.path("metadata").path("annotations").path(CLUSTER).asString("");
            boolean isOfOne = name.startsWith(SECRET_PREFIX) && ClusterName.isValid(cluster);
            if (isOfOne && !registered.contains(new ClusterName(cluster))) {
                left.add(name);
            }
        });
        left.forEach(name -> api.delete(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, name));
    }

    private static String list(String name) {
        return Json.text(Json.nodes().arrayNode().add(name));
    }

    private static String text(JsonNode data, String key) {
        return new String(Base64.getDecoder().decode(data.path(key).asString("")), UTF_8);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
