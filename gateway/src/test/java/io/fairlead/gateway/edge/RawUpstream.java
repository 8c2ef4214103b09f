package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** An API server of a test: records every byte that it receives and answers what the test writes. HTTP/1.1 over TLS. */
final class RawUpstream implements AutoCloseable {
    /** Answers one request; the head has been read, a body has not. */
    interface Script {
        void answer(String head, InputStream in, OutputStream out) throws Exception;
    }

    /** Speaks on the connection after one request's head, and has the connection for itself. */
    interface Talk {
        void speak(String head, Socket connection, InputStream in) throws Exception;
    }

    private final SSLSocketFactory tls;
    private final ServerSocket server;
    private final ConcurrentMap<Socket, TappedSocket> beneath = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private volatile Script script = (_, _, out) -> respond(out, 200, "{}");
    private volatile @Nullable Talk talk;

    RawUpstream(X509Bundle identity) {
        try {
            // That of PKIX derives the private key from its password at each handshake.
            KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
            keys.init(identity.toKeyStore("x".toCharArray()), "x".toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            tls = context.getSocketFactory();
            server = new Tapped();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        threads.execute(this::accept);
    }

    URI url() {
        return URI.create("https://127.0.0.1:" + server.getLocalPort());
    }

    void answer(Script newScript) {
        script = newScript;
    }

    /** Answers nothing itself from now on. */
    void talk(Talk newTalk) {
        talk = newTalk;
    }

    /** Closes a connection without a word: with a reset, or with the end of the TCP stream alone. */
    void vanish(Socket connection, boolean reset) throws IOException {
        Socket plain = Objects.requireNonNull(beneath.get(connection));
        plain.setSoLinger(reset, 0);
        plain.close();
    }

    /** Whether the client said that it sends no more, as against a connection that was only cut. */
    boolean wasEndSaid(Socket connection) {
        return Objects.requireNonNull(beneath.get(connection)).wasEndSaid();
    }

    /** How many connections were made to it. */
    int connectionCount() {
        return connections.size();
    }

    /** Every byte that came, as chars. */
    String received() {
        synchronized (received) {
            return received.toString(ISO_8859_1);
        }
    }

    List<String> heads() {
        return heads;
    }

    /** What came so far. */
    void forget() {
        synchronized (received) {
            received.reset();
        }
        heads.clear();
    }

    /** The values of a header in the last request's head. */
    List<String> header(String name) {
        return heads.getLast()
                .lines()
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .toList();
    }

    static void respond(OutputStream out, int status, String body) throws IOException {
        write(
                out,
                "HTTP/1.1 " + status + " X\r\ncontent-type: application/json\r\ncontent-length: " + body.length()
                        + "\r\n\r\n" + body);
    }

    static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(ISO_8859_1));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket connection : connections) {
            connection.close();
        }
        threads.shutdownNow();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                TappedSocket plain = (TappedSocket) server.accept();
                SSLSocket connection = (SSLSocket) tls.createSocket(plain, null, true);
                beneath.put(connection, plain);
                connections.add(connection);
                threads.execute(() -> serve(connection));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new Recording(connection.getInputStream());
            String head = head(in);
            while (!head.isEmpty()) {
                heads.add(head);
                Talk talking = talk;
                if (talking != null) {
                    talking.speak(head, connection, in);
                    return;
                }
                script.answer(head, in, connection.getOutputStream());
                head = head(in);
            }
        } catch (Exception e) {
            // The test looks at what the client saw.
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                return "";
            }
            head.append((char) c);
        }
        return head.toString();
    }

    private static final class Tapped extends ServerSocket {
        Tapped() throws IOException {
            super(0, 50, InetAddress.getLoopbackAddress());
        }

        @Override
        public Socket accept() throws IOException {
            TappedSocket connection = new TappedSocket();
            implAccept(connection);
            connection.setTcpNoDelay(true);
            return connection;
        }
    }

    private final class Recording extends InputStream {
        private final InputStream in;

        Recording(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            int c = in.read();
            if (c >= 0) {
                synchronized (received) {
                    received.write(c);
                }
            }
            return c;
        }

        @Override
        public int read(byte[] bytes, int start, int length) throws IOException {
            int count = in.read(bytes, start, length);
            if (count > 0) {
                synchronized (received) {
                    received.write(bytes, start, count);
                }
            }
            return count;
        }
    }
}
