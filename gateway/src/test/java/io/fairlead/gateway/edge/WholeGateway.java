package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration;
import io.fairlead.gateway.Gateway;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.http.Transport;
import io.fairlead.schema.json.Json;
import io.netty.channel.EventLoopGroup;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A gateway as the product starts it, with all its parts, in this process; and what a test attaches to it. */
final class WholeGateway implements AutoCloseable {
    static final String CLUSTERS = "/apis/fairlead.io/v1alpha1/clusters";
    static final String SECRETS = "/api/v1/namespaces/fairlead-system/secrets";

    /** The administrator's. */
    static final String MASTER = "Authorization: Bearer token-of-the-master";

    final TestPki pki;
    final Path folder;
    final Gateway gateway;
    final InetSocketAddress address;
    private final SSLContext anonymous;
    private final EventLoopGroup loops = Transport.NIO.newGroup(1, "raw-h2");
    private final Deque<AutoCloseable> closing = new ArrayDeque<>();

    /**
     * Starts one.
     *
     * @param tokens lines of the file of static tokens
     * @param more keys of the configuration
     */
    WholeGateway(TestPki pki, Path folder, String tokens, Map<String, ?> more) throws Exception {
        this.pki = pki;
        this.folder = folder;
        X509Bundle serving = pki.server();
        Map<String, Object> keys = new HashMap<>(Map.of(
                "dataDir", folder.resolve("data"),
                "securePort", "0",
                "metricsAddress", "off",
                "tokenAuthFile", write("tokens", "token-of-the-master,master,1,\"system:masters\"\n" + tokens),
                "tlsCertFile", write("tls.crt", serving.getCertificatePathPEM()),
                "tlsPrivateKeyFile", write("tls.key", serving.getPrivateKeyPEM()),
                "clientCaFile", write("ca.crt", pki.caPem()),
                "limits.failedAuthenticationsPerSecondMax", "100000"));
        keys.putAll(more);
        Configuration configuration = Limited.by(keys);
        gateway = Gateway.start(configuration, _ -> configuration);
        address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), URI.create(gateway.endpoint()).getPort());
        anonymous = pki.tls(null);
    }

    Path write(String file, String text) {
        try {
            return Files.writeString(folder.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RawClient client() throws IOException {
        return new RawClient(anonymous, address, null);
    }

    RawClient client(@Nullable X509Bundle certificate, @Nullable String serverName) throws IOException {
        return new RawClient(pki.tls(certificate), address, serverName);
    }

    RawHttp2Client http2() throws IOException {
        return new RawHttp2Client(pki, address, loops);
    }

    /** One request on a connection of its own. */
    RawAnswer send(String method, String target, String body, String... lines) throws IOException {
        try (RawClient client = client()) {
            return exchange(client, method, target, body, lines);
        }
    }

    static RawAnswer exchange(RawClient client, String method, String target, String body, String... lines)
            throws IOException {
        StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
        for (String line : lines) {
            request.append(line).append("\r\n");
        }
        if (!body.isEmpty()) {
            request.append("Content-Type: application/json\r\nContent-Length: ")
                    .append(body.getBytes(UTF_8).length)
                    .append("\r\n");
        }
        client.send(request.append("\r\n").append(body).toString());
        return client.answer(method.equals("HEAD"));
    }

    /** As the administrator. */
    RawAnswer get(String target) throws IOException {
        return send("GET", target, "", MASTER);
    }

    /** As the administrator, who must succeed. */
    RawAnswer create(String path, String object) throws IOException {
        RawAnswer answer = send("POST", path, object, MASTER);
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
        return answer;
    }

    void host(String name) throws Exception {
        create(CLUSTERS, cluster(name, "\"hosted\":{}"));
        awaitReady(name);
    }

    /** A Secret of Fairlead's own namespace. */
    void secret(String name, Map<String, String> values) throws IOException {
        ObjectNode secret = Json.object().put("apiVersion", "v1").put("kind", "Secret");
        secret.putObject("metadata").put("name", name);
        ObjectNode data = secret.putObject("data");
        values.forEach((key, value) -> data.put(key, Base64.getEncoder().encodeToString(value.getBytes(UTF_8))));
        create(SECRETS, Json.text(secret));
    }

    /** An API server that a test plays; no cluster leads to it yet. */
    RawUpstream server(PlayedApiServer script) {
        RawUpstream server = new RawUpstream(pki.server());
        server.answer(script);
        closing.push(server);
        closing.push(script::end);
        return server;
    }

    /** Registers it, with a token as the credential. */
    void attach(String name, RawUpstream server, String token, String more) throws Exception {
        secret(name, Map.of("token", token));
        create(CLUSTERS, cluster(name, attached(server.url(), name, more)));
    }

    String attached(URI url, String secret, String more) {
        return "\"attached\":{\"endpoints\":[\"" + url + "\"],\"caBundle\":\""
                + Base64.getEncoder().encodeToString(pki.caPem().getBytes(UTF_8))
                + "\",\"credentialSecretRef\":{\"name\":\"" + secret + "\"}" + more + "}";
    }

    static String cluster(String name, String spec) {
        return "{\"apiVersion\":\"fairlead.io/v1alpha1\",\"kind\":\"Cluster\",\"metadata\":{\"name\":\"" + name
                + "\"},\"spec\":{" + spec + "}}";
    }

    void awaitReady(String name) {
        Await.until(() -> conditions(name).contains("Ready=True"));
    }

    /** Of a registration: {@code Ready=True …}. */
    String conditions(String name) {
        try {
            StringBuilder conditions = new StringBuilder();
            Json.read(get(CLUSTERS + "/" + name).body())
                    .at("/status/conditions")
                    .forEach(condition -> conditions
                            .append(condition.path("type").asString())
                            .append('=')
                            .append(condition.path("status").asString())
                            .append(' ')
                            .append(condition.path("message").asString())
                            .append('\n'));
            return conditions.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets a user enter a cluster. */
    void admit(String user, String cluster) throws IOException {
        String rbac = "/apis/rbac.authorization.k8s.io/v1/";
        create(rbac + "clusterroles", """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"enter-%s-%s"},
            "rules":[{"apiGroups":["fairlead.io"],"resources":["clusters"],"resourceNames":["%s"],"verbs":["access"]}]}
            """.formatted(user, cluster, cluster));
        create(rbac + "clusterrolebindings", """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"enter-%s-%s"},
            "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"%s"}],
            "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"enter-%s-%s"}}
            """.formatted(user, cluster, user, user, cluster));
    }

    /** Gives a user a role of a cluster. */
    void bind(String user, String cluster, String role) throws IOException {
        create("/clusters/" + cluster + "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"%s-%s"},
            "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"%s"}],
            "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"%s"}}
            """.formatted(
                        user, role, user, role));
    }

    @Override
    public void close() throws IOException {
        gateway.close();
        while (!closing.isEmpty()) {
            close(closing.pop());
        }
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    private static void close(AutoCloseable part) throws IOException {
        try {
            part.close();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
