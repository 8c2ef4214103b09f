package io.fairlead.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** An HTTP proxy that answers every CONNECT alike, and leads to one server if that answer says so. */
final class FakeProxy implements AutoCloseable {
    private static final String PASSWORD = "x";

    private final ServerSocket listener;
    private final String scheme;
    private final String answer;
    private final @Nullable FakeServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<String> heads = new CopyOnWriteArrayList<>();

    /**
     * Listens.
     *
     * @param identity what it shows over TLS; null to be spoken to in the clear
     * @param answer what it says to each request, empty to say nothing; a 200 leads to the server
     */
    FakeProxy(@Nullable X509Bundle identity, String answer, @Nullable FakeServer server) throws Exception {
        this.scheme = identity == null ? "http" : "https";
        this.answer = answer;
        this.server = server;
        this.listener = identity == null
                ? new ServerSocket(0, 50, InetAddress.getLoopbackAddress())
                : tls(identity).getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    static FakeProxy leadingTo(FakeServer server) throws Exception {
        return new FakeProxy(null, "HTTP/1.1 200 Connection established\r\n\r\n", server);
    }

    URI url() {
        return URI.create(scheme + "://127.0.0.1:" + listener.getLocalPort());
    }

    /** What it was asked, in full. */
    List<String> heads() {
        return heads;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                client.setTcpNoDelay(true);
                threads.execute(() -> serve(client));
            } catch (IOException end) {
                // It is being closed.
            }
        }
    }

    private void serve(Socket client) {
        try {
            heads.add(head(client.getInputStream()));
            if (server != null && answer.contains(" 200 ")) {
                Socket there = new Socket(
                        server.address().getAddress(), server.address().getPort());
                open.add(there);
                there.setTcpNoDelay(true);
                client.getOutputStream().write(answer.getBytes(ISO_8859_1));
                threads.execute(() -> pump(there, client));
                pump(client, there);
            } else if (!answer.isEmpty()) {
                client.getOutputStream().write(answer.getBytes(ISO_8859_1));
                client.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException gone) {
            // Either side has left.
        }
    }

    /** Byte by byte: what follows is the server's. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("left in the middle of: " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException gone) {
            // Either side has left: the try ends the other.
        }
    }

    private static SSLContext tls(X509Bundle identity) throws Exception {
        // That of PKIX derives the private key from its password at each handshake.
        KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
        keys.init(identity.toKeyStore(PASSWORD.toCharArray()), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
