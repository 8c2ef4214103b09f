package io.fairlead.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects of an attached cluster in the root cluster: a Secret with its kubeconfig, optionally one with the
 * credential of its CRD runtime, and the part of a {@code Cluster} that refers to them.
 */
final class Attachment {
    private static final List<String> FIELDS_REPLACED = List.of(
            "endpoints", "caBundle", "caSecretRef", "tlsServerName", "credentialSecretRef", "proxyUrl", "renewToken");

    private final ClusterName cluster;
    private final Names names;
    private final Target credentials;
    private final Optional<CrdRuntimeOptions.CrdRuntime> crdRuntime;
    private final boolean renewsToken;

    /**
     * The names of the Secrets.
     *
     * @param kubeconfig the one with the kubeconfig
     * @param crdRuntime the one with the credential of the CRD runtime
     */
    record Names(String kubeconfig, String crdRuntime) {
        /** A cluster id has no dot, so no other cluster's Secret has this name. */
        private static final String SECOND = ".2";

        static Names first(ClusterName cluster) {
            return new Names("cluster-" + cluster, "crd-runtime-" + cluster);
        }

        /** Those that a registration does not refer to. */
        static Names besides(ClusterName cluster, JsonNode registration) {
            Names first = first(cluster);
            List<String> used = used(registration);
            return new Names(
                    used.contains(first.kubeconfig) ? first.kubeconfig + SECOND : first.kubeconfig,
                    used.contains(first.crdRuntime) ? first.crdRuntime + SECOND : first.crdRuntime);
        }

        /** The Secrets of a registration that {@code attach} created. */
        static List<String> own(ClusterName cluster, JsonNode registration) {
            Names first = first(cluster);
            List<String> own =
                    List.of(first.kubeconfig, first.crdRuntime, first.kubeconfig + SECOND, first.crdRuntime + SECOND);
            return used(registration).stream().filter(own::contains).toList();
        }

        private static List<String> used(JsonNode registration) {
            JsonNode attached = registration.path("spec").path("attached");
            return List.of(
                    attached.path("kubeconfigSecretRef").path("name").asString(""),
                    attached.path("crdRuntime")
                            .path("credentialSecretRef")
                            .path("name")
                            .asString(""));
        }
    }

    /**
     * Of a cluster.
     *
     * @param crdRuntime the CRD runtime; empty to omit it
     * @param renewsToken whether the credential is the token of a ServiceAccount created for it
     */
    Attachment(
            ClusterName cluster,
            Names names,
            Target credentials,
            Optional<CrdRuntimeOptions.CrdRuntime> crdRuntime,
            boolean renewsToken) {
        this.renewsToken = renewsToken;
        this.cluster = cluster;
        this.names = names;
        this.credentials = credentials;
        this.crdRuntime = crdRuntime;
    }

    /** Stores the Secrets and a registration that they go with, however that is deleted; or nothing. */
    JsonNode store(FairleadClient client, ObjectNode registration) throws CommandFailure, StatusFailure {
        List<String> stored = new ArrayList<>();
        try {
            for (var secret : secrets().entrySet()) {
                storeSecret(client, secret.getKey(), secret.getValue());
                stored.addFirst(Paths.secret(secret.getKey()));
            }
            JsonNode registered = client.post(Paths.CLUSTERS, registration);
            stored.addFirst(Paths.cluster(cluster));
            for (String secretName : secrets().keySet()) {
                client.patch(Paths.secret(secretName), ownedBy(registered));
            }
            return registered;
        } catch (StatusFailure | CommandFailure failure) {
            removeQuietly(client, stored);
            throw failure;
        }
    }

    /**
     * Stores the Secrets, owned by a registration that exists, and changes it to refer to them; or changes nothing. If
     * it is unknown whether the registration was changed, the Secrets stay: it may refer to them.
     */
    JsonNode putInPlaceOf(FairleadClient client, JsonNode registration) throws CommandFailure, StatusFailure {
        List<String> stored = storeOwnedBy(client, registration);
        try {
            return client.patch(Paths.cluster(cluster), replacement(registration));
        } catch (StatusFailure failure) {
            if (failure.code() < 500) {
                removeQuietly(client, stored);
            }
            throw failure;
        }
    }

    /** Stores all Secrets or none, and returns their paths. */
    private List<String> storeOwnedBy(FairleadClient client, JsonNode registration)
            throws CommandFailure, StatusFailure {
        List<String> stored = new ArrayList<>();
        try {
            for (var secret : secrets().entrySet()) {
                storeSecret(client, secret.getKey(), secret.getValue());
                stored.addFirst(Paths.secret(secret.getKey()));
                client.patch(Paths.secret(secret.getKey()), ownedBy(registration));
            }
            return stored;
        } catch (StatusFailure | CommandFailure failure) {
            removeQuietly(client, stored);
            throw failure;
        }
    }

    private ObjectNode replacement(JsonNode registration) {
        ObjectNode patch = Json.object();
        ObjectNode attached = patch.putObject("spec").putObject("attached");
        for (String field : FIELDS_REPLACED) {
            attached.putNull(field);
        }
        describe(attached);
        if (renewsToken) {
            ServiceAccountCredential.note(patch, CallerIdentity.in(registration));
        }
        if (attached.path("crdRuntime") instanceof ObjectNode runtime) {
            putNullForWhatIsNotSaid(runtime);
        }
        return patch;
    }

    /** Writes the location of the cluster to {@code spec.attached}, and that of its CRD runtime if one was given. */
    void describe(ObjectNode attached) {
        attached.putObject("kubeconfigSecretRef").put("name", names.kubeconfig());
        if (credentials.proxy() != null) {
            attached.put("proxyUrl", credentials.proxy().toString());
        }
        if (renewsToken) {
            attached.put("renewToken", true);
        }
        crdRuntime.ifPresent(runtime -> describe(runtime, attached.putObject("crdRuntime")));
    }

    /** In a merge patch, omitted fields stay. */
    private static void putNullForWhatIsNotSaid(ObjectNode crdRuntime) {
        for (String field : List.of("caBundle", "tlsServerName", "credentialSecretRef")) {
            if (!crdRuntime.has(field)) {
                crdRuntime.putNull(field);
            }
        }
    }

    private Map<String, ObjectNode> secrets() {
        Map<String, ObjectNode> secrets = new LinkedHashMap<>();
        secrets.put(names.kubeconfig(), kubeconfigSecret());
        Target ofCrdRuntime =
                crdRuntime.map(CrdRuntimeOptions.CrdRuntime::credential).orElse(null);
        if (ofCrdRuntime != null) {
            secrets.put(names.crdRuntime(), credentialSecret(ofCrdRuntime));
        }
        return secrets;
    }

    /** A Secret of this name without a Cluster was left by an interrupted attachment; it is replaced. */
    private void storeSecret(FairleadClient client, String secretName, ObjectNode secret)
            throws CommandFailure, StatusFailure {
        try {
            client.post(Paths.SECRETS, secret);
        } catch (StatusFailure conflict) {
            if (!conflict.reason().equals("AlreadyExists")) {
                throw conflict;
            }
            Optional<String> user = otherUser(client, cluster, secretName);
            if (user.isPresent()) {
                throw CommandFailure.of(
                        "Secret \"" + secretName
                                + "\" of namespace fairlead-system, in which the credential of cluster \"" + cluster
                                + "\" is kept, is used by cluster \"" + user.get() + "\"",
                        "nothing was changed; have cluster \"" + user.get() + "\" name another Secret first");
            }
            client.delete(Paths.secret(secretName));
            client.post(Paths.SECRETS, secret);
        }
    }

    /** Another cluster whose registration names the Secret. Blocks. */
    static Optional<String> otherUser(FairleadClient client, ClusterName cluster, String secretName)
            throws CommandFailure, StatusFailure {
        return Registrations.first(
                client,
                other -> !Registrations.name(other).equals(cluster.value())
                        && other.at("/spec/attached").findValues("name").stream()
                                .anyMatch(name -> name.asString("").equals(secretName)));
    }

    /** Removes a Secret of a cluster unless another one uses it, or may use it. */
    static void removeUnlessShared(FairleadClient client, ClusterName cluster, String secretName)
            throws CommandFailure {
        try {
            if (otherUser(client, cluster, secretName).isEmpty()) {
                removeQuietly(client, Paths.secret(secretName));
            }
        } catch (StatusFailure notKnown) {
            // A left-over Secret does less harm than a missing one.
            return;
        }
    }

    private static void removeQuietly(FairleadClient client, List<String> paths) throws CommandFailure {
        for (String path : paths) {
            removeQuietly(client, path);
        }
    }

    static void removeQuietly(FairleadClient client, String path) throws CommandFailure {
        try {
            client.delete(path);
        } catch (StatusFailure alreadyGone) {
            // The original failure is the one to report.
            return;
        }
    }

    private ObjectNode kubeconfigSecret() {
        ObjectNode secret = secret(names.kubeconfig(), "fairlead.io/kubeconfig");
        secret.putObject("data").put("kubeconfig", base64(inlined(credentials).text()));
        return secret;
    }

    /** The content for the field credentialSecretRef of a Cluster: a token, or a client certificate. */
    private ObjectNode credentialSecret(Target credential) {
        ObjectNode secret = secret(names.crdRuntime(), "fairlead.io/credential");
        ObjectNode data = secret.putObject("data");
        if (credential.token() != null) {
            data.put("token", base64(credential.token()));
        } else {
            data.put("tls.crt", base64(Objects.requireNonNull(credential.clientCertificate())));
            data.put("tls.key", base64(Objects.requireNonNull(credential.clientKey())));
        }
        return secret;
    }

    private ObjectNode secret(String secretName, String type) {
        ObjectNode secret = Json.object();
        secret.put("apiVersion", "v1").put("kind", "Secret").put("type", type);
        ObjectNode metadata = secret.putObject("metadata");
        metadata.put("name", secretName).put("namespace", "fairlead-system");
        metadata.putObject("labels").put("fairlead.io/cluster", cluster.value());
        return secret;
    }

    private static ObjectNode ownedBy(JsonNode registered) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata")
                .putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "fairlead.io/v1alpha1")
                .put("kind", "Cluster")
                .put("name", registered.path("metadata").path("name").asString(""))
                .put("uid", registered.path("metadata").path("uid").asString(""));
        return patch;
    }

    private static Kubeconfig inlined(Target credentials) {
        Kubeconfig kubeconfig = Kubeconfig.empty();
        kubeconfig.set(credentials, "target");
        return kubeconfig;
    }

    private void describe(CrdRuntimeOptions.CrdRuntime runtime, ObjectNode object) {
        ArrayNode endpoints = object.putArray("endpoints");
        runtime.servers().forEach(endpoints::add);
        if (runtime.certificateAuthority() != null) {
            object.put("caBundle", base64(runtime.certificateAuthority()));
        }
        if (runtime.tlsServerName() != null) {
            object.put("tlsServerName", runtime.tlsServerName());
        }
        if (runtime.credential() != null) {
            object.putObject("credentialSecretRef").put("name", names.crdRuntime());
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
