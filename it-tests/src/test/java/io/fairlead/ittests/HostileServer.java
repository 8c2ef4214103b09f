package io.fairlead.ittests;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** What answers as an API server would, but for lists and watches, by which it does harm. It ends with the test. */
final class HostileServer implements AutoCloseable {
    private static final String LIST_BEGINNING = """
        {"kind":"CustomResourceDefinitionList","apiVersion":"apiextensions.k8s.io/v1",\
        "metadata":{"resourceVersion":"7"},"items":[\
        """;
    private static final String EMPTY_LIST =
            "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}";
    private static final String GONE = """
        {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","code":410,\
        "reason":"Expired","message":"too old resource version"}}
        """;
    private static final int HUGE_BYTES = 150 << 20;
    private static final int DEPTH = 5_000;
    private static final int EVENTS_AT_ONCE = 50;
    private static final String PIECE = "x".repeat(64 * 1024);

    /** How it does harm. */
    enum Kind {
        /** A list whose items never end. */
        ENDLESS_LIST,
        /** A list of one definition of 150 MB. */
        HUGE_DEFINITION,
        /** A list of one definition that is nested very deeply. */
        DEEP_DEFINITION,
        /** Each watch ends at once with 410. */
        GONE_ALWAYS,
        /** A head that never ends, to every request. */
        ENDLESS_HEAD,
        /** Nothing, to every request. */
        SILENT,
        /** Watches of one definition that changes without end, as fast as it is read. */
        ENDLESS_CHANGES
    }

    private final Kind kind;
    private final SSLServerSocket listener;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicLong events = new AtomicLong();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    HostileServer(Kind kind, SSLContext identity) throws IOException {
        this.kind = kind;
        this.listener = (SSLServerSocket)
                identity.getServerSocketFactory().createServerSocket(0, 100, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    /** What such servers show, made in a folder. */
    static SSLContext identity(Path folder) throws IOException, GeneralSecurityException {
        return RecordingRelay.serverContext(folder);
    }

    String url() {
        return "https://127.0.0.1:" + listener.getLocalPort();
    }

    /** How many changes were taken from it. */
    long events() {
        return events.get();
    }

    @Override
    public void close() {
        closeQuietly(listener);
        open.forEach(HostileServer::closeQuietly);
        threads.shutdownNow();
        threads.close();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                client.setTcpNoDelay(true);
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                // A client that gave up, or the end.
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            for (String target = target(in); !target.isEmpty(); target = target(in)) {
                answer(target, out);
                out.flush();
            }
        } catch (IOException e) {
            // The client has had enough.
        } finally {
            open.remove(client);
        }
    }

    /** The target of the next request; empty at the end. No request that this is asked has a body that matters. */
    private static String target(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
        }
        return head.toString().split(" ", 3)[1];
    }

    private void answer(String target, OutputStream out) throws IOException {
        switch (kind) {
            case SILENT -> {
                return;
            }
            case ENDLESS_HEAD -> {
                write(out, "HTTP/1.1 200 OK\r\nX-Endless: ");
                writeForEver(out, PIECE);
            }
            default -> {}
        }
        if (target.startsWith("/version")) {
            whole(out, "{\"gitVersion\":\"v1.36.3\"}");
        } else if (target.contains("watch=")) {
            watch(target, out);
        } else if (target.contains("/customresourcedefinitions")) {
            list(out);
        } else {
            whole(out, EMPTY_LIST);
        }
    }

    private void watch(String target, OutputStream out) throws IOException {
        begin(out);
        if (kind == Kind.GONE_ALWAYS) {
            chunk(out, GONE);
            write(out, "0\r\n\r\n");
        } else if (kind == Kind.ENDLESS_CHANGES && target.contains("/customresourcedefinitions")) {
            changeForEver(out);
        } else {
            out.flush();
        }
    }

    private void changeForEver(OutputStream out) throws IOException {
        for (long version = 8; ; ) {
            StringBuilder changes = new StringBuilder();
            for (int i = 0; i < EVENTS_AT_ONCE; i++, version++) {
                changes.append("{\"type\":\"MODIFIED\",\"object\":")
                        .append(definition("\"" + version + "\"").replace("\"7\"", "\"" + version + "\""))
                        .append("}\n");
            }
            chunk(out, changes.toString());
            events.addAndGet(EVENTS_AT_ONCE);
        }
    }

    private void list(OutputStream out) throws IOException {
        switch (kind) {
            case ENDLESS_LIST -> {
                begin(out);
                chunk(out, LIST_BEGINNING + definition("\"\""));
                for (; ; ) {
                    chunk(out, "," + definition("\"" + PIECE + "\""));
                }
            }
            case HUGE_DEFINITION -> {
                begin(out);
                chunk(out, LIST_BEGINNING + definition("\"").replaceAll("}}$", ""));
                for (long bytes = 0; bytes < HUGE_BYTES; bytes += PIECE.length()) {
                    chunk(out, PIECE);
                }
                chunk(out, "\"}}]}");
                write(out, "0\r\n\r\n");
            }
            case DEEP_DEFINITION ->
                whole(out, LIST_BEGINNING + definition("{\"a\":".repeat(DEPTH) + "1" + "}".repeat(DEPTH)) + "]}");
            case ENDLESS_CHANGES -> whole(out, LIST_BEGINNING + definition("\"\"") + "]}");
            case GONE_ALWAYS, ENDLESS_HEAD, SILENT -> whole(out, EMPTY_LIST);
        }
    }

    private static String definition(String filler) {
        return """
            {"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1",\
            "metadata":{"name":"boats.example.com","uid":"u","resourceVersion":"7"},"spec":{"group":"example.com",\
            "scope":"Namespaced","names":{"plural":"boats","kind":"Boat"},"versions":[{"name":"v1","served":true,\
            "storage":true}],"filler":%s}}\
            """.formatted(filler);
    }

    private static void whole(OutputStream out, String body) throws IOException {
        write(
                out,
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n"
                        + body);
    }

    private static void begin(OutputStream out) throws IOException {
        write(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    private static void chunk(OutputStream out, String text) throws IOException {
        write(out, Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
    }

    private static void writeForEver(OutputStream out, String piece) throws IOException {
        while (true) {
            write(out, piece);
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            // It is only being dropped.
        }
    }
}
