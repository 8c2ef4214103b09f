package io.fairlead.cli.warm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.server.ClientTls;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationException;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.KubeconfigException;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.gateway.ConfiguredFiles;
import io.fairlead.gateway.Gateway;
import io.fairlead.gateway.StartFailure;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a trial server is asked before its JVM writes down what it learned: as a fleet in use asks, with a hosted cluster
 * and two attached ones. Those are one hosted cluster of a second gateway, in this process, by HTTP/2 and by HTTP/1.1.
 */
final class Rehearsal implements AutoCloseable {
    static final ClusterName HOSTED = new ClusterName("hosted");
    static final ClusterName BY_HTTP2 = new ClusterName("h2");
    static final ClusterName BY_HTTP1 = new ClusterName("h1");

    /** The hosted cluster of the second gateway. */
    private static final ClusterName BEHIND = new ClusterName("behind");

    private static final int SMALL_BYTES = 2_048;
    private static final int LARGE_BYTES = 262_144;
    private static final Duration READY_MAX = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 50;

    private final String token;
    private final Target admin;
    private final FairleadClient front;
    private final Gateway behind;
    private final Target behindIt;
    private final Http1Relay relay;

    /** Starts what is behind the server of the subfolder {@code server}, with the user of its file {@code tokens}. */
    Rehearsal(Path folder) throws CommandFailure {
        Path server = folder.resolve("server");
        token = read(folder.resolve("tokens")).split(",", 2)[0];
        admin = admin(server);
        front = FairleadClient.connect(admin, server);
        Path data = folder.resolve("behind");
        behind = gateway(data);
        try {
            behindIt = admin(data);
            relay = Http1Relay.to(behindIt, serving(behindIt, data.resolve("pki")));
        } catch (IOException | ClientTls.UnusableException unusable) {
            behind.close();
            throw CommandFailure.of(String.valueOf(unusable.getMessage()));
        }
    }

    /**
     * Sets up the clusters and asks; the requests end at the first of the two limits. Returns how many were answered as
     * meant.
     */
    int run(int requestsMax, Duration timeMax) throws CommandFailure, StatusFailure {
        try (FairleadClient upstream = FairleadClient.connect(behindIt, behind.kubeconfig())) {
            host(upstream, BEHIND);
            upstream.post(Paths.definitions(BEHIND), json(Scripts.API_SERVICES));
            await(upstream, "/clusters/" + BEHIND + "/apis/apiregistration.k8s.io/v1/apiservices");
            host(front, HOSTED);
            enter();
            String below = "/clusters/" + BEHIND;
            attach(BY_HTTP2, behindIt.server().resolve(below).toString(), behindIt);
            attach(BY_HTTP1, relay.origin() + below, behindIt);
            int answered;
            try (Callers callers = new Callers(front.origin(), admin, token, requestsMax, timeMax)) {
                answered = callers.run();
            }
            // A change that the index hears of while it is in use.
            front.delete(Paths.definitions(HOSTED) + "/boats.example.com");
            upstream.delete(Paths.definitions(BEHIND) + "/boats.example.com");
            front.delete(Paths.cluster(BY_HTTP1));
            front.delete(Paths.cluster(BY_HTTP2));
            front.delete(Paths.cluster(HOSTED));
            return answered;
        }
    }

    @Override
    public void close() {
        relay.close();
        behind.close();
        front.close();
    }

    /** A hosted cluster with a type of its own and objects. */
    private static void host(FairleadClient client, ClusterName name) throws CommandFailure, StatusFailure {
        client.post(Paths.CLUSTERS, json("""
            {"apiVersion": "fairlead.io/v1alpha1", "kind": "Cluster", "metadata": {"name": "%s"},
             "spec": {"hosted": {"builtIns": "Core", "deletionPolicy": "Delete"}}}\
            """.formatted(name)));
        awaitReady(client, name);
        String root = "/clusters/" + name;
        client.post(Paths.definitions(name), json(Scripts.DEFINITION));
        await(client, root + Scripts.BOATS);
        client.post(root + Scripts.BOATS, json(Scripts.BOAT.formatted("ketch")));
        client.post(root + Scripts.CONFIG_MAPS, json(Scripts.configMap("small", SMALL_BYTES)));
        client.post(root + Scripts.CONFIG_MAPS, json(Scripts.configMap("large", LARGE_BYTES)));
        client.post(root + Scripts.BINDINGS, json(Scripts.BINDING));
    }

    /** Lets the user of the token into the clusters of the server. */
    private void enter() throws CommandFailure, StatusFailure {
        front.post("/clusters/root" + Scripts.ROLES, json(Scripts.ENTER_ROLE));
        front.post("/clusters/root" + Scripts.BINDINGS, json(Scripts.ENTER_BINDING));
    }

    /** Two registrations of one cluster are in conflict, unless one is an alias of the other. */
    private void attach(ClusterName name, String endpoint, Target credential) throws CommandFailure, StatusFailure {
        String alias = name.equals(BY_HTTP2) ? "" : "\"aliasOf\": \"" + BY_HTTP2 + "\", ";
        front.post(Paths.SECRETS, json("""
            {"apiVersion": "v1", "kind": "Secret", "type": "fairlead.io/credential",
             "metadata": {"name": "%s", "namespace": "fairlead-system"},
             "data": {"tls.crt": "%s", "tls.key": "%s"}}\
            """.formatted(
                        name, base64(credential.clientCertificate()), base64(credential.clientKey()))));
        front.post(
                Paths.CLUSTERS, json("""
                    {"apiVersion": "fairlead.io/v1alpha1", "kind": "Cluster", "metadata": {"name": "%s"},
                     "spec": {%s"attached": {"endpoints": ["%s"], "caBundle": "%s", "credentialSecretRef": {"name": "%s"},
                      "identity": "Impersonate", "impersonation": {"allowSystemMasters": true}}}}\
                    """.formatted(name, alias, endpoint, base64(credential.caCertificates()), name)));
        awaitReady(front, name);
    }

    private static void awaitReady(FairleadClient client, ClusterName name) throws CommandFailure, StatusFailure {
        Instant end = Instant.now().plus(READY_MAX);
        while (!isReady(client.get(Paths.cluster(name)))) {
            pause(
                    end,
                    "cluster \"" + name + "\" is not Ready: "
                            + client.get(Paths.cluster(name)).path("status"));
        }
    }

    private static boolean isReady(JsonNode cluster) {
        return cluster.path("status")
                .path("conditions")
                .valueStream()
                .anyMatch(condition -> condition.path("type").asString("").equals("Ready")
                        && condition.path("status").asString("").equals("True"));
    }

    private static void await(FairleadClient client, String path) throws CommandFailure {
        Instant end = Instant.now().plus(READY_MAX);
        while (client.fetch(path).statusCode() != 200) {
            pause(end, path + " is not served");
        }
    }

    private static void pause(Instant end, String otherwise) throws CommandFailure {
        if (Instant.now().isAfter(end)) {
            throw CommandFailure.of(otherwise);
        }
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw CommandFailure.of("interrupted");
        }
    }

    private static Gateway gateway(Path data) throws CommandFailure {
        Map<String, String> flags =
                Map.of("dataDir", data.toString(), "securePort", "0", "metricsAddress", "off", "shutdown.delay", "0s");
        try {
            Configuration configuration =
                    ConfigurationReader.read(null, Map.of(), flags, new ConfiguredFiles(InstantSource.system()));
            return Gateway.start(configuration, _ -> configuration);
        } catch (ConfigurationException | StartFailure unusable) {
            throw CommandFailure.of(String.valueOf(unusable.getMessage()));
        }
    }

    private static Target admin(Path data) throws CommandFailure {
        try {
            return Target.of(Kubeconfig.read(data.resolve("admin.kubeconfig")), null, data.toAbsolutePath());
        } catch (KubeconfigException unusable) {
            throw CommandFailure.of(String.valueOf(unusable.getMessage()));
        }
    }

    /** What a server presents, in the place of a client's certificate. */
    private static Target serving(Target admin, Path pki) throws CommandFailure {
        return new Target(
                admin.server(),
                null,
                admin.caCertificates(),
                read(pki.resolve("serving.crt")),
                read(pki.resolve("serving.key")),
                null,
                null);
    }

    private static String read(Path file) throws CommandFailure {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw CommandFailure.of(file + " cannot be read");
        }
    }

    private static JsonNode json(String text) {
        return Json.read(text.getBytes(UTF_8));
    }

    private static String base64(@Nullable String text) {
        return Base64.getEncoder().encodeToString(Objects.requireNonNull(text).getBytes(UTF_8));
    }
}
