package io.fairlead.ittests;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.jspecify.annotations.Nullable;

/**
 * A TLS server in front of a real one that passes bytes both ways, keeps those that clients sent and can hold requests
 * back. It offers no ALPN, so what it sees is HTTP/1.1.
 */
final class RecordingRelay implements AutoCloseable {
    private static final String PASSWORD = "relaypass";

    private final Path folder;
    private final int upstreamPort;
    private final SSLServerSocket listener;
    private final ExecutorService pumps = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Map<Socket, String> lastSent = new ConcurrentHashMap<>();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile @Nullable String held;

    /** A relay to a port of the loopback address; its key and certificate lie in a folder. */
    static RecordingRelay start(Path folder, int upstreamPort) {
        try {
            var relay = new RecordingRelay(folder, upstreamPort);
            relay.pumps.execute(relay::accept);
            return relay;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private RecordingRelay(Path folder, int upstreamPort) throws IOException, GeneralSecurityException {
        this.folder = folder;
        this.upstreamPort = upstreamPort;
        this.listener = (SSLServerSocket) serverContext(folder)
                .getServerSocketFactory()
                .createServerSocket(0, 100, InetAddress.getLoopbackAddress());
    }

    /** A kubeconfig that reaches the real server through the relay as its administrator. */
    Path kubeconfig() {
        try {
            return Files.writeString(folder.resolve("relay.kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: relay, cluster: {server: "https://127.0.0.1:%d", certificate-authority: "%s"}}]
                users: [{name: admin, user: {token: "%s"}}]
                contexts: [{name: relay, context: {cluster: relay, user: admin}}]
                current-context: relay
                """.formatted(
                            listener.getLocalPort(), caFile(), KubeCluster.ADMIN_TOKEN));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code https://127.0.0.1:PORT}. */
    String url() {
        return "https://127.0.0.1:" + listener.getLocalPort();
    }

    /** The certificate of the relay, which signed itself. */
    Path caFile() {
        return caFile(folder);
    }

    /** The certificate of what {@link #serverContext} made there. */
    static Path caFile(Path folder) {
        return folder.resolve("relay.crt");
    }

    /** Everything that clients sent since the start or {@link #forget}, byte for byte. */
    String received() {
        synchronized (received) {
            return received.toString(StandardCharsets.ISO_8859_1);
        }
    }

    void forget() {
        synchronized (received) {
            received.reset();
        }
    }

    /** How many connections are open of which the last that a client sent contains a path. */
    long openThatLastSent(String path) {
        return lastSent.values().stream().filter(sent -> sent.contains(path)).count();
    }

    /** From now on a connection that asks for a path is not heard any further, until {@link #release}. */
    void hold(String path) {
        held = " " + path;
    }

    void release() {
        held = null;
        released.countDown();
    }

    /** Ends every connection that there is. */
    void cut() {
        open.forEach(RecordingRelay::closeQuietly);
    }

    @Override
    public void close() {
        release();
        closeQuietly(listener);
        open.forEach(RecordingRelay::closeQuietly);
        pumps.close();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                client.setTcpNoDelay(true);
                Socket upstream = TrustEveryone.context()
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), upstreamPort);
                open.add(upstream);
                upstream.setTcpNoDelay(true);
                pumps.execute(() -> pump(client, upstream, true));
                pumps.execute(() -> pump(upstream, client, false));
            } catch (IOException e) {
                // A client that gave up, or the relay's end.
            }
        }
    }

    private void pump(Socket from, Socket to, boolean fromClient) {
        byte[] buffer = new byte[16 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (fromClient) {
                    hear(from, buffer, count);
                }
                out.write(buffer, 0, count);
                out.flush();
            }
        } catch (IOException e) {
            // Either side has gone: the try ends the other.
        } finally {
            open.remove(from);
            open.remove(to);
            lastSent.remove(from);
        }
    }

    private void hear(Socket from, byte[] buffer, int count) {
        String bytes = new String(buffer, 0, count, StandardCharsets.ISO_8859_1);
        lastSent.put(from, bytes);
        synchronized (received) {
            received.write(buffer, 0, count);
        }
        String path = held;
        if (path != null && bytes.contains(path)) {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What a server on the loopback address shows, made in a folder. */
    static SSLContext serverContext(Path folder) throws IOException, GeneralSecurityException {
        Path store = folder.resolve("relay.p12");
        KeyTool.generate(
                store, PASSWORD, "relay", "-dname", "CN=relay", "-ext", "san=ip:127.0.0.1", "-ext", "bc:c=ca:true");
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        Files.writeString(
                caFile(folder),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'})
                                .encodeToString(keys.getCertificate("relay").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            // It is only being dropped.
        }
    }
}
