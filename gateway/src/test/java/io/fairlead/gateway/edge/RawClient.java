package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.StandardConstants;
import org.jspecify.annotations.Nullable;

/** A client that sends exactly the bytes that a test writes, over TLS without ALPN. */
final class RawClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final TappedSocket plain;
    private final SSLSocket socket;
    private final InputStream in;

    RawClient(SSLContext tls, InetSocketAddress server, @Nullable String serverName) throws IOException {
        plain = new TappedSocket();
        plain.connect(server);
        plain.setTcpNoDelay(true);
        socket = (SSLSocket) tls.getSocketFactory()
                .createSocket(plain, server.getAddress().getHostAddress(), server.getPort(), true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        if (serverName != null) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new AnyName(serverName)));
            socket.setSSLParameters(parameters);
        }
        in = socket.getInputStream();
    }

    /** A server name that need not be a host name. */
    private static final class AnyName extends SNIServerName {
        AnyName(String name) {
            super(StandardConstants.SNI_HOST_NAME, name.getBytes(ISO_8859_1));
        }
    }

    /** What the server presented. */
    X509Certificate serverCertificate() throws IOException {
        return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Says that nothing more is sent; the server still may. */
    void end() throws IOException {
        socket.shutdownOutput();
    }

    /** Closes without a word: with a reset, or with the end of the TCP stream alone. */
    void vanish(boolean reset) throws IOException {
        plain.setSoLinger(reset, 0);
        plain.close();
    }

    /** Whether the server said that it sends no more, as against a connection that was only cut. */
    boolean wasEndSaid() {
        return plain.wasEndSaid();
    }

    InputStream input() {
        return in;
    }

    OutputStream output() throws IOException {
        return socket.getOutputStream();
    }

    /** A request with a Host and the given further lines, each ended by CR LF. */
    RawAnswer get(String target, String... lines) throws IOException {
        return exchange("GET", target, lines);
    }

    RawAnswer exchange(String method, String target, String... lines) throws IOException {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
        for (String line : lines) {
            head.append(line).append("\r\n");
        }
        send(head.append("\r\n").toString());
        return answer(method.equals("HEAD"));
    }

    RawAnswer answer(boolean headOnly) throws IOException {
        RawAnswer head = head();
        String length = head.header("content-length");
        if (headOnly || head.status() == 204 || head.status() == 304) {
            return head;
        }
        if (!length.isEmpty()) {
            return head.withBody(bytes(Integer.parseInt(length)), true);
        }
        return head.header("transfer-encoding").equals("chunked") ? chunked(head) : head.withBody(rest(), true);
    }

    /** Only the head of an answer. */
    RawAnswer head() throws IOException {
        String statusLine = line();
        List<String> fields = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            fields.add(line);
        }
        return new RawAnswer(Integer.parseInt(statusLine.substring(9, 12)), fields, "", false);
    }

    /** One chunk's data; empty for the last one. */
    String chunk() throws IOException {
        int size = Integer.parseInt(line(), 16);
        String data = bytes(size);
        line();
        return data;
    }

    /** Whether the server closed the connection. */
    boolean isClosed() throws IOException {
        return in.read() < 0;
    }

    String rest() throws IOException {
        return new String(in.readAllBytes(), ISO_8859_1);
    }

    /** Goes without a word. */
    void leave() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private RawAnswer chunked(RawAnswer head) throws IOException {
        StringBuilder body = new StringBuilder();
        while (true) {
            int c = in.read();
            if (c < 0) {
                return head.withBody(body.toString(), false);
            }
            String size = (char) c + line();
            String data = bytes(Integer.parseInt(size, 16));
            line();
            if (data.isEmpty()) {
                return head.withBody(body.toString(), true);
            }
            body.append(data);
        }
    }

    String bytes(int count) throws IOException {
        return new String(in.readNBytes(count), ISO_8859_1);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("closed after \"" + line.toString(ISO_8859_1) + "\"");
            }
            line.write(c);
        }
        String text = line.toString(ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    /**
     * An answer.
     *
     * @param complete whether the body ended as its framing says
     */
    record RawAnswer(int status, List<String> fields, String body, boolean complete) {
        /** A header's value, empty if absent. */
        String header(String name) {
            String prefix = name.toLowerCase(Locale.ROOT) + ":";
            return fields.stream()
                    .filter(field -> field.toLowerCase(Locale.ROOT).startsWith(prefix))
                    .map(field -> field.substring(prefix.length()).strip())
                    .findFirst()
                    .orElse("");
        }

        /** The same whenever it was given. */
        RawAnswer withoutDate() {
            return new RawAnswer(
                    status,
                    fields.stream().filter(field -> !field.startsWith("date:")).toList(),
                    body,
                    complete);
        }

        RawAnswer withBody(String text, boolean isComplete) {
            return new RawAnswer(status, fields, text, isComplete);
        }
    }
}
