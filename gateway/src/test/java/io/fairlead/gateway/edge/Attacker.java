package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One who tries to reach clusters by requests that are written out in full. */
final class Attacker {
    /** Stands in each request, so that a cluster that received any of it is known. */
    static final String MARK = "mark-of-the-attacker";

    private final WholeGateway gateway;
    private final String authorization;
    private final String robot;

    /**
     * One who has these credentials.
     *
     * @param authorization the line by which requests prove who sends them, unless they say otherwise
     * @param robot the token of a ServiceAccount of a cluster of the attacker's own, {@code {ROBOT}} in requests
     */
    Attacker(WholeGateway gateway, String authorization, String robot) {
        this.gateway = gateway;
        this.authorization = authorization;
        this.robot = robot;
    }

    WholeGateway gateway() {
        return gateway;
    }

    /**
     * Sends a request over HTTP/1.1 and returns all that is answered, but for what differs from one answer to the next.
     *
     * @param lines the request line and header lines; {@code {N}} is the cluster's name, {@code {N^}} in capitals, {@code {N%}}
     *     percent-encoded; a line {@code body …} is the body
     */
    String http1(String victim, List<String> lines) throws IOException {
        return http1(victim, null, null, lines);
    }

    /** The same on a connection with a certificate, or one that asks for a host in its handshake. */
    String http1(String victim, @Nullable X509Bundle certificate, @Nullable String serverName, List<String> lines)
            throws IOException {
        String host = serverName == null ? null : named(serverName, victim);
        try (RawClient client = gateway.client(certificate, host)) {
            client.send(request(victim, lines));
            return normal(client.rest());
        } catch (SocketTimeoutException open) {
            return "it stays open";
        } catch (IOException closed) {
            return "it is closed";
        }
    }

    private String request(String victim, List<String> lines) {
        StringBuilder head = new StringBuilder(named(lines.getFirst(), victim)).append("\r\n");
        String body = "";
        for (String line : lines.subList(1, lines.size())) {
            if (line.startsWith("body ")) {
                body = named(line.substring("body ".length()), victim);
            } else if (!line.equals("anonymous")) {
                head.append(named(line, victim)).append("\r\n");
            }
        }
        ifMissing(head, lines, "Host:", "Host: localhost");
        if (!lines.contains("anonymous")) {
            ifMissing(head, lines, "Authorization:", authorization);
        }
        if (!body.isEmpty()) {
            ifMissing(head, lines, "Content-Type:", "Content-Type: application/json");
            if (!lines.contains("Transfer-Encoding: chunked")) {
                ifMissing(head, lines, "Content-Length:", "Content-Length: " + body.length());
            }
        }
        ifMissing(head, lines, "Connection:", "Connection: close");
        return head + "X-Mark: " + MARK + "\r\n\r\n" + body;
    }

    private static void ifMissing(StringBuilder head, List<String> lines, String name, String line) {
        if (lines.stream().noneMatch(one -> one.startsWith(name))) {
            head.append(line).append("\r\n");
        }
    }

    /** Sends a request over HTTP/2, fields in lower case as {@code name value}, and returns the status and the body. */
    String http2(String victim, List<String> fields) throws Exception {
        try (RawHttp2Client client = gateway.http2()) {
            Http2Headers head = new DefaultHttp2Headers(false);
            for (String field : fields) {
                int end = field.indexOf(' ');
                head.add(field.substring(0, end), named(field.substring(end + 1), victim));
            }
            for (String standard : List.of(":method GET", ":scheme https", ":authority localhost")) {
                String name = standard.substring(0, standard.indexOf(' '));
                if (!head.contains(name)) {
                    head.add(name, standard.substring(name.length() + 1));
                }
            }
            if (!head.contains("authorization")) {
                head.add("authorization", authorization.substring("Authorization: ".length()));
            }
            head.add("x-mark", MARK);
            var stream = client.open(head, true);
            StringBuilder answer = new StringBuilder();
            String frame;
            do {
                frame = stream.next();
                answer.append(frame).append('\n');
            } while (frame.startsWith("head") || frame.startsWith("data"));
            return normal(answer.toString());
        }
    }

    /** As {@code {N%}} is sent. */
    static String percentEncoded(String victim) {
        return HexFormat.of().withPrefix("%").formatHex(victim.getBytes(US_ASCII));
    }

    private String named(String text, String victim) {
        return text.replace("{ROBOT}", robot)
                .replace("{N}", victim)
                .replace("{N^}", victim.toUpperCase(Locale.ROOT))
                .replace("{N%}", percentEncoded(victim));
    }

    /** Without the time, the request's id, and ports. */
    private static String normal(String answer) {
        return answer.replaceAll("(?i)(?m)^(date|audit-id): .*\r?$", "");
    }
}
