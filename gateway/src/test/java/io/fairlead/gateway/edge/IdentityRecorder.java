package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An attached cluster that accepts one token, lets no user impersonate, and keeps what its requests say about who makes them. */
final class IdentityRecorder implements AutoCloseable {
    private static final String TOKENS = "POST /apis/authentication.k8s.io/v1/tokenreviews ";
    private static final String RIGHTS = "POST /apis/authorization.k8s.io/v1/subjectaccessreviews ";
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)");

    private static final String ROBOT = """
        {"status": {"authenticated": true, "user": {"username": "system:serviceaccount:a:robot", "uid": "u1",
          "groups": ["system:serviceaccounts", "system:masters"], "extra": {"Example.com/Pod": ["p"]}}}}\
        """;

    private final RawUpstream server;
    private int seen;

    IdentityRecorder(TestEdge edge) {
        server = new RawUpstream(edge.pki.server());
        server.answer(IdentityRecorder::answer);
    }

    RawUpstream server() {
        return server;
    }

    /** What the reviews since the last call said of who makes them, and of other requests the same: in order, sorted in each. */
    record Told(List<List<String>> reviews, List<List<String>> requests) {}

    Told told() {
        List<String> heads =
                List.copyOf(server.heads()).subList(seen, server.heads().size());
        seen += heads.size();
        Predicate<String> isReview = head -> head.startsWith(TOKENS) || head.startsWith(RIGHTS);
        return new Told(
                heads.stream().filter(isReview).map(IdentityRecorder::identity).toList(),
                heads.stream()
                        .filter(isReview.negate())
                        .map(IdentityRecorder::identity)
                        .toList());
    }

    /** The fields that some server might take for an identity or a credential, whatever their form. */
    private static List<String> identity(String head) {
        return head.lines()
                .skip(1)
                .filter(line -> !line.isEmpty())
                .filter(line -> isIdentity(line.substring(0, line.indexOf(':'))
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-')))
                .map(line -> line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT)
                        + line.substring(line.indexOf(':')))
                .sorted()
                .toList();
    }

    private static boolean isIdentity(String name) {
        return name.startsWith("impersonate-")
                || name.startsWith("x-remote-")
                || name.endsWith("authorization")
                || name.startsWith("cookie");
    }

    private static void answer(String head, InputStream in, OutputStream out) throws IOException {
        if (head.contains("SPDY/3.1")) {
            RawUpstream.write(out, UpgradeFixture.SWITCH);
            return;
        }
        if (head.contains("Sec-WebSocket-Key")) {
            RawUpstream.write(out, UpgradeFixture.SWITCH.replace("SPDY/3.1", "websocket"));
            return;
        }
        byte[] body = body(head, in);
        if (head.startsWith(TOKENS)) {
            String token = Json.read(body).at("/spec/token").asString("");
            RawUpstream.respond(out, 201, token.equals(Proof.CLUSTERS_TOKEN) ? ROBOT : "{}");
        } else if (head.startsWith(RIGHTS)) {
            RawUpstream.respond(out, 201, "{\"status\": {\"allowed\": false}}");
        } else {
            RawUpstream.respond(out, new String(body, UTF_8).contains(Claim.WHO) ? 500 : 200, "{}");
        }
    }

    /** The whole of it, with trailers if there are any. */
    private static byte[] body(String head, InputStream in) throws IOException {
        Matcher length = LENGTH.matcher(head);
        if (length.find()) {
            return in.readNBytes(Integer.parseInt(length.group(1)));
        }
        StringBuilder chunks = new StringBuilder();
        if (head.toLowerCase(Locale.ROOT).contains("\r\ntransfer-encoding: chunked")) {
            while (!chunks.toString().contains("0\r\n") || !chunks.toString().endsWith("\r\n\r\n")) {
                chunks.append((char) in.read());
            }
        }
        return chunks.toString().getBytes(UTF_8);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
