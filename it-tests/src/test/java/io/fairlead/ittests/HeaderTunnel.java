package io.fairlead.ittests;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server in front of Fairlead that adds headers to the head of a request and passes all other bytes both ways, so that clients
 * which cannot be told to send them can stream. Each of its connections is for one request.
 */
final class HeaderTunnel implements AutoCloseable {
    private static final int HEAD_BYTES_MAX = 64 * 1024;

    private final int port;
    private final Map<String, String> headers;
    private final ServerSocket listener;
    private final ExecutorService pumps = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private HeaderTunnel(String to, Map<String, String> headers) throws IOException {
        this.port = URI.create(to).getPort();
        this.headers = headers;
        this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    }

    /** One to an endpoint on the loopback address. */
    static HeaderTunnel start(String to, Map<String, String> headers) {
        try {
            var tunnel = new HeaderTunnel(to, headers);
            tunnel.pumps.execute(tunnel::accept);
            return tunnel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a kubeconfig that has no credential: kubectl sends none without TLS. */
    Path kubeconfig(Path file) throws IOException {
        return Files.writeString(file, """
            apiVersion: v1
            kind: Config
            clusters: [{name: prod, cluster: {server: "http://127.0.0.1:%d"}}]
            contexts: [{name: prod, context: {cluster: prod}}]
            current-context: prod
            """.formatted(listener.getLocalPort()));
    }

    @Override
    public void close() {
        closeQuietly(listener);
        open.forEach(HeaderTunnel::closeQuietly);
        pumps.close();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                pumps.execute(() -> serve(client));
            } catch (IOException e) {
                // The tunnel's end.
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket server = TrustEveryone.context()
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), port)) {
            open.add(client);
            open.add(server);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.getOutputStream().write(withHeaders(head(client.getInputStream())));
            server.getOutputStream().flush();
            var there = pumps.submit(() -> pump(client, server));
            pump(server, client);
            closeQuietly(client);
            there.get();
        } catch (Exception e) {
            // Either side has gone.
        } finally {
            open.remove(client);
        }
    }

    /** Up to its empty line. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int next = in.read();
            if (next < 0 || head.length() > HEAD_BYTES_MAX) {
                throw new IOException("no head");
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private byte[] withHeaders(String head) {
        StringBuilder more = new StringBuilder();
        headers.forEach(
                (name, value) -> more.append(name).append(": ").append(value).append("\r\n"));
        if (!head.toLowerCase(Locale.ROOT).contains("\r\nconnection:")) {
            more.append("Connection: close\r\n");
        }
        int end = head.length() - 2;
        return (head.substring(0, end) + more + head.substring(end)).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void pump(Socket from, Socket to) {
        byte[] buffer = new byte[16 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
                out.flush();
            }
        } catch (IOException e) {
            // Either side has gone: the try ends the other.
        }
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            // It is only being dropped.
        }
    }
}
