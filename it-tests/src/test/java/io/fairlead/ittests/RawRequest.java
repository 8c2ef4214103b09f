package io.fairlead.ittests;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A request written byte for byte, for what no HTTP client would send. */
final class RawRequest {
    private static final int TIMEOUT_MILLIS = 30_000;

    private RawRequest() {}

    /** Sends lines (joined by CRLF, ended by an empty one) to an endpoint and returns all that it answers until it closes. */
    static String exchange(String endpoint, String... lines) throws IOException {
        try (Socket socket = TrustEveryone.context()
                .getSocketFactory()
                .createSocket(
                        InetAddress.getLoopbackAddress(), URI.create(endpoint).getPort())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            String request = String.join("\r\n", lines) + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
