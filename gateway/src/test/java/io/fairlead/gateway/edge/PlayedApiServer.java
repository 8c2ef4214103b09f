package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/**
 * As much of an API server as makes a cluster Ready: version, identity, and no definitions. Everything else, such as the requests of
 * callers, is answered by the test.
 */
final class PlayedApiServer implements RawUpstream.Script {
    private static final String NOTHING =
            "{\"kind\":\"List\",\"apiVersion\":\"v1\"," + "\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}";

    private final String uid;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Answering others = (_, out) -> RawUpstream.respond(out, 200, "{}");

    /** Answers a request that was read whole. */
    interface Answering {
        void answer(String request, OutputStream out) throws IOException;
    }

    /** @param uid that of its namespace kube-system */
    PlayedApiServer(String uid) {
        this.uid = uid;
    }

    /** Everything that is not about Fairlead's own informers. */
    void answerOthers(Answering answering) {
        others = answering;
    }

    /** Ends the watches. */
    void end() {
        ended.countDown();
    }

    @Override
    public void answer(String head, InputStream in, OutputStream out) throws Exception {
        String request = head + body(head, in);
        String target = target(head);
        if (head.toLowerCase(Locale.ROOT).contains("\r\nimpersonate-user:")) {
            others.answer(request, out);
        } else if (target.equals("/version")) {
            RawUpstream.respond(out, 200, "{\"major\":\"1\",\"minor\":\"36\",\"gitVersion\":\"v1.36.3\"}");
        } else if (target.startsWith("/api/v1/namespaces/kube-system")) {
            RawUpstream.respond(
                    out,
                    200,
                    "{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"kube-system\",\"uid\":\""
                            + uid + "\",\"resourceVersion\":\"1\"}}");
        } else if (target.contains("watch=")) {
            RawUpstream.write(
                    out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
            ended.await();
        } else if (target.contains("/customresourcedefinitions") || target.contains("/apiservices")) {
            RawUpstream.respond(out, 200, NOTHING);
        } else {
            others.answer(request, out);
        }
    }

    static String target(String request) {
        return request.split(" ", 3)[1];
    }

    private static String body(String head, InputStream in) throws IOException {
        int length = head.lines()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElse(0);
        return new String(in.readNBytes(length), ISO_8859_1);
    }
}
