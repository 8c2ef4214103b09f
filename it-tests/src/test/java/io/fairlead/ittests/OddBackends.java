package io.fairlead.ittests;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Backends of aggregation layers that do not what API servers do, each at a port of its own; they tell of each request. */
final class OddBackends implements AutoCloseable {
    private static final Gson GSON = new Gson();

    private final OwnedProcess process;

    /** How one is odd. It serves version v1 of the group {@code KIND.example.com}. */
    enum Kind {
        /** Answers everything with 200 and what is not JSON. */
        NONSENSE,
        /** Sends everybody elsewhere: to {@link #ELSEWHERE}. */
        REDIRECT,
        /** Never answers. */
        HANG,
        /** Says what it serves; only of the resource {@code hangs} it never answers, and of {@code redirects} it sends elsewhere. */
        HALF,
        /** What others lead to; it is never asked. */
        ELSEWHERE,
        /** No server but a listening socket, which closes what it accepts. */
        OUTSIDE;

        String lowerCase() {
            return name().toLowerCase(Locale.ROOT);
        }

        String group() {
            return lowerCase() + ".example.com";
        }
    }

    /**
     * A request that came, or a connection without one.
     *
     * @param headers by their names in lower case
     * @param client whose certificate the connection showed; empty if it showed none
     */
    record Seen(Kind kind, String request, Map<String, List<String>> headers, String client) {
        /** The values of a header; none if there is none. */
        List<String> header(String name) {
            return headers.getOrDefault(name, List.of());
        }
    }

    private record Port(Kind kind, int port) {}

    private OddBackends(OwnedProcess process) {
        this.process = process;
    }

    /** Starts all at an address, {@link Kind#OUTSIDE} at another one. */
    static OddBackends start(
            NetworkNamespace network, Path folder, BackendIdentity identity, String address, String outside) {
        var backends = new OddBackends(OwnedProcess.start(
                "odd-backends",
                folder,
                Map.of(),
                network.program(OddBackends.class, List.of(identity.store().toString(), address, outside))));
        Await.until(
                "odd backends listen; " + backends.process.tail(),
                Duration.ofSeconds(20),
                () -> backends.ports().size() == Kind.values().length);
        return backends;
    }

    /** Takes the store of an identity and two addresses. */
    public static void main(String[] arguments) throws Exception {
        SSLContext context = new BackendIdentity(Path.of(arguments[0])).context();
        int elsewhere = listen(Kind.ELSEWHERE, context, arguments[1], 0);
        for (Kind kind : List.of(Kind.NONSENSE, Kind.REDIRECT, Kind.HANG, Kind.HALF)) {
            listen(kind, context, arguments[1], elsewhere);
        }
        try (ServerSocket outside = new ServerSocket(0, 10, InetAddress.getByName(arguments[2]))) {
            tell(new Port(Kind.OUTSIDE, outside.getLocalPort()));
            while (true) {
                outside.accept().close();
                tell(new Seen(Kind.OUTSIDE, "", Map.of(), ""));
            }
        }
    }

    private static int listen(Kind kind, SSLContext context, String address, int elsewhere) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(address, 0), 10);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = context.getDefaultSSLParameters();
                wanted.setWantClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        String other = "https://" + address + ":" + elsewhere + "/";
        server.createContext("/", exchange -> {
            try (exchange) {
                tell(seen(kind, (HttpsExchange) exchange));
                answer(kind, exchange, other);
            }
        });
        server.start();
        tell(new Port(kind, server.getAddress().getPort()));
        return server.getAddress().getPort();
    }

    private static Seen seen(Kind kind, HttpsExchange exchange) {
        Map<String, List<String>> headers = new TreeMap<>();
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
        String client = "";
        try {
            var shown = (X509Certificate) exchange.getSSLSession().getPeerCertificates()[0];
            client = shown.getSubjectX500Principal().getName();
        } catch (SSLPeerUnverifiedException e) {
            // It has shown none.
        }
        return new Seen(kind, exchange.getRequestMethod() + " " + exchange.getRequestURI(), headers, client);
    }

    private static void answer(Kind kind, HttpExchange exchange, String elsewhere) throws IOException {
        switch (kind) {
            case NONSENSE, ELSEWHERE, OUTSIDE -> answer(exchange, 200, "text/html", "<p>It works!</p>");
            case REDIRECT -> redirect(exchange, elsewhere);
            case HANG -> hang();
            case HALF -> half(kind, exchange, elsewhere);
        }
    }

    private static void half(Kind kind, HttpExchange exchange, String elsewhere) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String version = "/apis/" + kind.group() + "/v1";
        if (path.equals(version)) {
            answer(exchange, 200, "application/json", """
                {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"%s/v1","resources":[%s]}
                """.formatted(
                            kind.group(),
                            String.join(
                                    ",",
                                    Stream.of("hangs", "redirects", "echoes")
                                            .map(OddBackends::resource)
                                            .toList())));
        } else if (path.equals(version + "/hangs")) {
            hang();
        } else if (path.equals(version + "/redirects")) {
            redirect(exchange, elsewhere);
        } else if (path.startsWith(version)) {
            answer(exchange, 200, "application/json", "{\"kind\":\"Echo\",\"apiVersion\":\"v1\"}");
        } else {
            answer(exchange, 404, "text/plain", "not found");
        }
    }

    private static String resource(String name) {
        return """
            {"name":"%1$s","singularName":"%1$s","namespaced":false,"group":"%2$s","version":"v1","kind":"Odd%1$s",\
            "verbs":["list"]}\
            """.formatted(name, Kind.HALF.group());
    }

    private static void redirect(HttpExchange exchange, String elsewhere) throws IOException {
        exchange.getResponseHeaders().set("Location", elsewhere);
        answer(exchange, 302, "text/plain", "elsewhere");
    }

    private static void answer(HttpExchange exchange, int status, String contentType, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", contentType);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static void hang() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void tell(Object what) {
        String line = what.getClass().getSimpleName() + " " + GSON.toJson(what);
        synchronized (System.out) {
            System.out.println(line);
        }
    }

    int port(Kind kind) {
        return ports().stream()
                .filter(port -> port.kind() == kind)
                .findFirst()
                .orElseThrow()
                .port();
    }

    /** What came to one so far. */
    List<Seen> seen(Kind kind) {
        return told(Seen.class).filter(seen -> seen.kind() == kind).toList();
    }

    private List<Port> ports() {
        return told(Port.class).toList();
    }

    private <T> Stream<T> told(Class<T> type) {
        String prefix = type.getSimpleName() + " ";
        return process.output()
                .lines()
                .filter(line -> line.startsWith(prefix) && line.endsWith("}"))
                .map(line -> GSON.fromJson(line.substring(prefix.length()), type));
    }

    @Override
    public void close() {
        process.close();
    }
}
