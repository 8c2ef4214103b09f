package io.fairlead.ittests;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A connection over TLS on which a test writes what it likes and reads as fast as it likes, from a loopback address of its
 * choice. Of HTTP/1.1 it knows how answers end.
 */
final class WireConnection implements AutoCloseable {
    private static final SSLContext TLS = TrustEveryone.context();
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int KEPT_BYTES_MAX = 4096;
    private static final int LINE_BYTES_MAX = 64 * 1024;

    private final SSLSocket socket;
    private final InputStream in;
    private final OutputStream out;

    /** From {@code 127.0.0.address} to a port of the loopback address. */
    static WireConnection open(int port, int address) throws IOException {
        return new WireConnection(port, address, "http/1.1", 0);
    }

    /** The same, to speak HTTP/2. */
    static WireConnection openHttp2(int port, int address) throws IOException {
        return new WireConnection(port, address, "h2", 0);
    }

    /** The same for HTTP/1.1, with so little room for what was not read that a reader who stops is soon noticed. */
    static WireConnection openNarrow(int port, int address) throws IOException {
        return new WireConnection(port, address, "http/1.1", KEPT_BYTES_MAX);
    }

    private WireConnection(int port, int address, String protocol, int receiveBytes) throws IOException {
        Socket plain = new Socket();
        try {
            plain.setSoTimeout(TIMEOUT_MILLIS);
            plain.setTcpNoDelay(true);
            if (receiveBytes > 0) {
                plain.setReceiveBufferSize(receiveBytes);
            }
            plain.bind(new InetSocketAddress(loopback(address), 0));
            plain.connect(new InetSocketAddress(loopback(1), port), TIMEOUT_MILLIS);
            socket = (SSLSocket) TLS.getSocketFactory().createSocket(plain, "localhost", port, true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {protocol});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    /** The loopback address {@code 127.0.0.last}. */
    static InetAddress loopback(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A request's head without its end, so that fields can follow. */
    static String head(String method, String path, String token) {
        return "%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n".formatted(method, path, token);
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.UTF_8));
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** One request with a JSON body, or with none if it is empty, and its whole answer. */
    Answer exchange(String method, String path, String token, String contentType, String body) throws IOException {
        String head = head(method, path, token);
        if (body.isEmpty()) {
            send(head + "\r\n");
        } else {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            send(head + "Content-Type: " + contentType + "\r\nContent-Length: " + bytes.length + "\r\n\r\n" + body);
        }
        return answer();
    }

    /** The next answer, of whose body the beginning is kept. */
    Answer answer() throws IOException {
        Head head = readHead();
        StringBuilder kept = new StringBuilder();
        long bytes = 0;
        if (head.isChunked()) {
            for (long size = Long.parseLong(line(), 16); size > 0; size = Long.parseLong(line(), 16)) {
                skip(size, kept);
                bytes += size;
                line();
            }
            line();
        } else {
            bytes = head.length();
            skip(bytes, kept);
        }
        return new Answer(head.status(), bytes, kept.toString());
    }

    /** The status of the next answer, whose body is still to come. */
    int status() throws IOException {
        return readHead().status();
    }

    /** Whether an answer, or the end, comes within some time. */
    boolean hasAnswer(Duration wait) throws IOException {
        socket.setSoTimeout((int) wait.toMillis());
        in.mark(1);
        try {
            int _ = in.read();
            in.reset();
            return true;
        } catch (SocketTimeoutException nothingYet) {
            return false;
        } finally {
            socket.setSoTimeout(TIMEOUT_MILLIS);
        }
    }

    /** Reads some of what comes; -1 at the end. */
    int read(byte[] into) throws IOException {
        return in.read(into);
    }

    /** The next chunk of an answer's body; empty at its end. */
    byte[] chunk() throws IOException {
        int size = Integer.parseInt(line(), 16);
        byte[] chunk = in.readNBytes(size);
        if (chunk.length < size) {
            throw new EOFException("the answer was cut");
        }
        line();
        return chunk;
    }

    /** Without a farewell, as one that was cut. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }

    private Head readHead() throws IOException {
        String first = line();
        int status = Integer.parseInt(first.split(" ", 3)[1]);
        long length = 0;
        boolean chunked = false;
        for (String field = line(); !field.isEmpty(); field = line()) {
            String lower = field.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(
                        lower.substring("content-length:".length()).strip());
            }
            chunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
        }
        return new Head(status, length, chunked);
    }

    private void skip(long bytes, StringBuilder kept) throws IOException {
        byte[] some = new byte[KEPT_BYTES_MAX];
        for (long left = bytes; left > 0; ) {
            int count = in.read(some, 0, (int) Math.min(left, some.length));
            if (count < 0) {
                throw new EOFException("the answer was cut");
            }
            if (kept.length() < KEPT_BYTES_MAX) {
                kept.append(new String(some, 0, count, StandardCharsets.ISO_8859_1));
            }
            left -= count;
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.length() > LINE_BYTES_MAX) {
                throw new EOFException("no answer, or none that is complete: " + line);
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private record Head(int status, long length, boolean isChunked) {}

    /** What was answered, and the beginning of its body. */
    record Answer(int status, long bodyBytes, String body) {}
}
