package io.fairlead.gateway.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.kubeconfig.Kubeconfig;
import io.fairlead.gateway.kubeconfig.KubeconfigException;
import io.fairlead.gateway.kubeconfig.Target;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Registers an API server that runs elsewhere: its credential becomes a Secret, its registration a Cluster. */
@Command(
        name = "attach",
        description = "Attach a cluster that runs elsewhere.",
        footer = {
            "",
            "A caller in system:masters is passed on to the cluster as such; see",
            "spec.attached.impersonation.allowSystemMasters of the Cluster to change that."
        })
final class ClusterAttachCommand extends ServerCommand {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterArgument cluster;

    @Option(
            names = "--from-kubeconfig",
            paramLabel = "FILE",
            description = "the kubeconfig that leads to the cluster to attach; files that it names are inlined")
    @Nullable
    private Path fromKubeconfig;

    @Option(
            names = "--from-context",
            paramLabel = "NAME",
            description = "the context that leads to the cluster to attach; else the current one of that kubeconfig")
    @Nullable
    private String fromContext;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CrdRuntimeOptions crdRuntimeOptions;

    @Option(
            names = "--identity",
            paramLabel = "MODE",
            defaultValue = "impersonate",
            description = "how callers are presented there: impersonate")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String identity;

    @Option(names = "--no-wait", description = "do not wait until the cluster is Ready")
    private boolean noWait;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "how long to wait (default: ${DEFAULT-VALUE})")
    private int timeoutSeconds;

    @Option(
            names = "--print-rbac",
            description = "print the least rights that the credential needs in the cluster, and change nothing")
    private boolean printRbac;

    @Nullable
    private Target target;

    private Optional<CrdRuntimeOptions.CrdRuntime> crdRuntime = Optional.empty();

    @Override
    public Integer call() throws CommandFailure {
        requireKnownIdentity();
        requirePositiveTimeout();
        if (printRbac) {
            out().print(LeastPrivilege.manifests(cluster.name()));
            out().flush();
            return ExitCodes.OK;
        }
        return super.call();
    }

    @Override
    void prepare() throws CommandFailure {
        target = readTarget();
        crdRuntime = crdRuntimeOptions.read();
    }

    @Override
    int run(FairleadClient client) throws CommandFailure, StatusFailure {
        ClusterName name = cluster.name();
        JsonNode attached = register(client, Objects.requireNonNull(target));
        if (!noWait) {
            attached =
                    Readiness.await(client, name, Duration.ofSeconds(timeoutSeconds), err(), () -> unregister(client));
        }
        output().printChange(
                        attached,
                        (noWait
                                        ? "attached"
                                        : "attached; kubectl reaches it through " + client.origin() + "/clusters/"
                                                + name)
                                + "\nsystem:masters is passed on to it as such"
                                + " (spec.attached.impersonation.allowSystemMasters: true)");
        return ExitCodes.OK;
    }

    private void requireKnownIdentity() {
        if (!identity.equals("impersonate")) {
            throw wrongUsage("identity \"" + identity + "\" (expected impersonate)");
        }
    }

    private void requirePositiveTimeout() {
        if (timeoutSeconds < 1) {
            throw wrongUsage("timeout \"" + timeoutSeconds + "\" (expected at least 1; --no-wait does not wait)");
        }
    }

    private Target readTarget() throws CommandFailure {
        if (fromKubeconfig == null) {
            throw wrongUsage("--from-kubeconfig FILE is missing (expected the cluster's kubeconfig)");
        }
        Target read;
        try {
            Path folder = fromKubeconfig.toAbsolutePath().getParent();
            read = Target.of(Kubeconfig.read(fromKubeconfig), fromContext, folder);
        } catch (KubeconfigException unusable) {
            throw CommandFailure.of(String.valueOf(unusable.getMessage()));
        }
        if (read.token() == null && read.clientCertificate() == null) {
            throw CommandFailure.of(
                    fromKubeconfig + ": the context has no credential (expected a token or a client certificate)");
        }
        return read;
    }

    /** Stores both objects, or neither. */
    private JsonNode register(FairleadClient client, Target credentials) throws CommandFailure, StatusFailure {
        ClusterName name = cluster.name();
        String secretName = "cluster-" + name;
        String crdRuntimeSecretName = "crd-runtime-" + name;
        try {
            client.get(Paths.cluster(name));
            throw CommandFailure.of(
                    "cluster \"" + name + "\" exists already",
                    "choose another id, or remove it with 'fairlead cluster delete " + name + "'");
        } catch (StatusFailure missing) {
            if (missing.code() != 404) {
                throw missing;
            }
        }
        Map<String, ObjectNode> secrets = new LinkedHashMap<>();
        secrets.put(secretName, secret(secretName, credentials));
        Target ofCrdRuntime =
                crdRuntime.map(CrdRuntimeOptions.CrdRuntime::credential).orElse(null);
        if (ofCrdRuntime != null) {
            secrets.put(crdRuntimeSecretName, credentialSecret(crdRuntimeSecretName, ofCrdRuntime));
        }
        return store(client, secrets, registration(secretName, crdRuntimeSecretName));
    }

    /** Stores the Secrets and the registration that they go with, however that is deleted; or nothing. */
    private JsonNode store(FairleadClient client, Map<String, ObjectNode> secrets, ObjectNode registration)
            throws CommandFailure, StatusFailure {
        List<String> stored = new ArrayList<>();
        try {
            for (var secret : secrets.entrySet()) {
                storeSecret(client, secret.getKey(), secret.getValue());
                stored.addFirst(Paths.secret(secret.getKey()));
            }
            JsonNode registered = client.post(Paths.CLUSTERS, registration);
            stored.addFirst(Paths.cluster(cluster.name()));
            for (String secretName : secrets.keySet()) {
                client.patch(Paths.secret(secretName), ownedBy(registered));
            }
            return registered;
        } catch (StatusFailure | CommandFailure failure) {
            for (String path : stored) {
                removeQuietly(client, path);
            }
            throw failure;
        }
    }

    /** A Secret of this name without a Cluster is what an attachment left that was cut short; it is replaced. */
    private static void storeSecret(FairleadClient client, String secretName, ObjectNode secret)
            throws CommandFailure, StatusFailure {
        try {
            client.post(Paths.SECRETS, secret);
        } catch (StatusFailure conflict) {
            if (!conflict.reason().equals("AlreadyExists")) {
                throw conflict;
            }
            client.delete(Paths.secret(secretName));
            client.post(Paths.SECRETS, secret);
        }
    }

    /** Takes back what {@link #register} stored. The Secrets go with the registration, if not at once. */
    private void unregister(FairleadClient client) throws CommandFailure, StatusFailure {
        try {
            client.delete(Paths.cluster(cluster.name()));
        } catch (StatusFailure failure) {
            if (failure.code() != 404) {
                throw failure;
            }
        }
        removeQuietly(client, Paths.secret("cluster-" + cluster.name()));
        if (crdRuntime.map(CrdRuntimeOptions.CrdRuntime::credential).isPresent()) {
            removeQuietly(client, Paths.secret("crd-runtime-" + cluster.name()));
        }
    }

    private static void removeQuietly(FairleadClient client, String path) throws CommandFailure {
        try {
            client.delete(path);
        } catch (StatusFailure alreadyGone) {
            // The failure that led here is the one to report.
            return;
        }
    }

    private ObjectNode secret(String secretName, Target credentials) {
        ObjectNode secret = secret(secretName, "fairlead.io/kubeconfig");
        secret.putObject("data").put("kubeconfig", base64(inlined(credentials).text()));
        return secret;
    }

    /** What the field credentialSecretRef of a Cluster takes: a token, or a client certificate. */
    private ObjectNode credentialSecret(String secretName, Target credential) {
        ObjectNode secret = secret(secretName, "fairlead.io/credential");
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
        metadata.putObject("labels").put("fairlead.io/cluster", cluster.name().value());
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

    private ObjectNode registration(String secretName, String crdRuntimeSecretName) {
        ObjectNode registration = Json.object();
        registration.put("apiVersion", "fairlead.io/v1alpha1").put("kind", "Cluster");
        registration.putObject("metadata").put("name", cluster.name().value());
        ObjectNode attached = registration.putObject("spec").putObject("attached");
        attached.putObject("kubeconfigSecretRef").put("name", secretName);
        attached.put("identity", "Impersonate");
        attached.putObject("impersonation").put("allowSystemMasters", true);
        crdRuntime.ifPresent(runtime -> describe(runtime, attached.putObject("crdRuntime"), crdRuntimeSecretName));
        return registration;
    }

    private static void describe(CrdRuntimeOptions.CrdRuntime runtime, ObjectNode object, String secretName) {
        ArrayNode endpoints = object.putArray("endpoints");
        runtime.servers().forEach(endpoints::add);
        if (runtime.certificateAuthority() != null) {
            object.put("caBundle", base64(runtime.certificateAuthority()));
        }
        if (runtime.tlsServerName() != null) {
            object.put("tlsServerName", runtime.tlsServerName());
        }
        if (runtime.credential() != null) {
            object.putObject("credentialSecretRef").put("name", secretName);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
