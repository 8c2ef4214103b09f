package io.fairlead.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.cli.server.Paths;
import io.fairlead.model.FairleadVersion;
import io.fairlead.testkit.HttpServers;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;

/** A server that answers each path with a prepared document, and what commands print that are told of it. */
final class FakeGateway implements AutoCloseable {
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final Map<String, Queue<String>> turns = new ConcurrentHashMap<>();
    private final Map<String, Integer> codes = new ConcurrentHashMap<>();
    private final Map<String, String> warnings = new ConcurrentHashMap<>();
    private final Map<String, String> queries = new ConcurrentHashMap<>();
    private final HttpsServer server;
    private final Path kubeconfig;

    /** What a command printed. */
    record Printed(int code, String out, String err) {}

    /**
     * Starts it.
     *
     * @param folder where its kubeconfig is written
     */
    FakeGateway(Path folder) throws Exception {
        X509Bundle certificate = new CertificateBuilder()
                .ecp256()
                .subject("CN=server")
                .setIsCertificateAuthority(true)
                .addSanIpAddress("127.0.0.1")
                .buildSelfSigned();
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(certificate.toKeyManagerFactory().getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", this::answer);
        server.start();
        answer(
                Paths.VERSION,
                "{\"product\": \"" + FairleadVersion.PRODUCT
                        + "\", \"version\": \"1.2.3\", \"kubernetes\": \"v1.36.3\"}");
        String ca = Base64.getEncoder()
                .encodeToString(certificate.getCertificatePEM().getBytes(UTF_8));
        kubeconfig = Files.writeString(folder.resolve("fake-gateway.kubeconfig"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: '%s', certificate-authority-data: %s}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: c, context: {cluster: c, user: u}}]
            current-context: c
            """.formatted(url(), ca));
    }

    String url() {
        return "https://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Answers a path from now on. */
    void answer(String path, String document) {
        answers.put(path, document);
    }

    /** Answers a path with these documents, one after the other, and then with the last. */
    void answerInTurn(String path, String... documents) {
        turns.put(path, new ConcurrentLinkedQueue<>(List.of(documents)));
    }

    /** Answers a path with a status code from now on. */
    void code(String path, int code) {
        codes.put(path, code);
    }

    /** The query of the last request to a path, as it was sent; empty if it had none. */
    String query(String path) {
        return queries.getOrDefault(path, "");
    }

    /** Warns in each answer to a request of a method from now on. */
    void warn(String method, String field) {
        warnings.put(method, field);
    }

    /** Runs a command that asks this server. */
    Printed run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--kubeconfig", kubeconfig.toString()));
        return runAsItIs(all.toArray(String[]::new));
    }

    /** Runs a command that is not told of this server. */
    Printed runAsItIs(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = FairleadCommand.execute(List.of(arguments), new PrintWriter(out), new PrintWriter(err));
        return new Printed(code, out.toString(), err.toString());
    }

    @Override
    public void close() {
        HttpServers.stop(server);
    }

    private void answer(HttpExchange exchange) throws IOException {
        Queue<String> inTurn = turns.getOrDefault(exchange.getRequestURI().getPath(), new ConcurrentLinkedQueue<>());
        String next = inTurn.poll();
        if (next != null) {
            answer(exchange.getRequestURI().getPath(), next);
        }
        String found = answers.get(exchange.getRequestURI().getPath());
        byte[] body = (found == null ? "{\"kind\": \"Status\", \"message\": \"none\"}" : found).getBytes(UTF_8);
        exchange.getRequestBody().readAllBytes();
        if (exchange.getRequestURI().getRawQuery() != null) {
            queries.put(
                    exchange.getRequestURI().getPath(), exchange.getRequestURI().getRawQuery());
        }
        String warning = warnings.get(exchange.getRequestMethod());
        if (warning != null) {
            exchange.getResponseHeaders().add("Warning", warning);
        }
        exchange.sendResponseHeaders(
                codes.getOrDefault(exchange.getRequestURI().getPath(), found == null ? 404 : 200), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
