package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random connections of HTTP/1.1: each request that the front end hands on is the same one to Netty and to Go, with the
 * same body and the same request before it.
 */
@Timeout(value = Fuzzing.MINUTES_MAX, unit = TimeUnit.MINUTES)
class RequestsReadElsewhereTest {
    private static final int BATCH = 200;

    /** Stands behind a request for which Go may close the connection. */
    private static final String LAST = "last";

    private static final List<String> REQUESTS = List.of(
            "GET /a?b=c HTTP/1.1|Host: h||",
            "GET /api/v1/pods HTTP/1.1|Host: h:80|Accept: a/b, c|Authorization: Bearer x||",
            "HEAD / HTTP/1.1|Host: h|X: |Y: z||",
            "POST /b HTTP/1.1|Host: h|Content-Length: 3||abc",
            "POST /c HTTP/1.1|Host: h|Transfer-Encoding: chunked||3|abc|0||",
            "PUT /d HTTP/1.1|Host: [::1]:80|X: y|X: z|transfer-encoding: Chunked||1;a=b|a|B|0123456789a|0|X: y||",
            "PATCH /e HTTP/1.1|Host: h|Content-Type: x/y|Content-Length: 20||GET /f HTTP/1.1\r\n\r\n ",
            "POST /g HTTP/1.1|Host: h|Expect: 100-continue|Content-Length: 1||a",
            "DELETE /h HTTP/1.1|Host: h|Connection: keep-alive|Content-Length: 0||",
            "POST /i HTTP/1.0|Host: h|Content-Length: 2||ab",
            "GET /j HTTP/1.1|Host: h|Connection: close||");

    @Test
    void requestThatIsHandedOn_isTheSameToNetty() {
        Fuzzing fuzzing = new Fuzzing("requests, beside Netty");
        int taken = 0;
        int all = 0;
        while (fuzzing.goesOn()) {
            byte[] input = fuzzing.mutant(REQUESTS);
            List<String> ours = OurReader.http1(input);
            all++;
            if (!ours.isEmpty()) {
                taken++;
                assertThat(NettyReader.http1(input))
                        .as("%s", fuzzing.shown(input))
                        .startsWith(ours.toArray(String[]::new));
            }
        }
        assertThat(taken).isGreaterThan(all / 10);
    }

    @Test
    void requestThatIsHandedOn_isTheSameToGo() throws Exception {
        try (GoReader go = GoReader.start()) {
            Fuzzing fuzzing = new Fuzzing("requests, beside Go");
            while (fuzzing.goesOn()) {
                List<byte[]> inputs = new ArrayList<>();
                List<List<String>> ours = new ArrayList<>();
                while (inputs.size() < BATCH) {
                    byte[] input = fuzzing.mutant(REQUESTS);
                    List<String> read = OurReader.http1(input);
                    if (!read.isEmpty()) {
                        inputs.add(input);
                        ours.add(read);
                    }
                }
                List<List<String>> theirs = go.read('q', inputs);
                for (int i = 0; i < inputs.size(); i++) {
                    if (!isAlike(theirs.get(i), ours.get(i))
                            && !isAlikeWithoutEmptyLines(go, inputs.get(i), ours.get(i))) {
                        assertThat(theirs.get(i))
                                .as("%s", fuzzing.shown(inputs.get(i)))
                                .isEqualTo(ours.get(i));
                    }
                }
            }
        }
    }

    /**
     * Go takes no empty line before a request. "In the interest of robustness, a server that is expecting to receive and
     * parse a request-line SHOULD ignore at least one empty line (CRLF) received prior to the request-line." (RFC 9112
     * section 2.2)
     */
    private static boolean isAlikeWithoutEmptyLines(GoReader go, byte[] input, List<String> ours) throws IOException {
        byte[] shorter = input;
        for (int readAlike = -1; ; ) {
            List<byte[]> variants = withoutOneLineEnd(shorter);
            List<List<String>> theirs = go.read('q', variants);
            int best = readAlike;
            for (int i = 0; i < variants.size(); i++) {
                if (isAlike(theirs.get(i), ours)) {
                    return true;
                }
                List<String> read = messages(theirs.get(i));
                if (read.size() > best && beginsWith(ours, read)) {
                    best = read.size();
                    shorter = variants.get(i);
                }
            }
            if (best == readAlike) {
                return false;
            }
            readAlike = best;
        }
    }

    private static List<byte[]> withoutOneLineEnd(byte[] input) {
        String text = new String(input, ISO_8859_1);
        List<byte[]> variants = new ArrayList<>();
        for (int at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 1)) {
            variants.add((text.substring(0, at) + text.substring(at + 2)).getBytes(ISO_8859_1));
        }
        return variants;
    }

    /**
     * Go closes the connection behind any {@code close} that stands alone in the field's text. "Connection =
     * #connection-option, connection-option = token" (RFC 9110 section 7.6.1): one in a member that is no token says
     * nothing.
     */
    private static boolean isAlike(List<String> theirs, List<String> ours) {
        boolean mayBeClosed = !theirs.isEmpty() && theirs.getLast().equals(LAST);
        List<String> read = messages(theirs);
        return beginsWith(read, ours) || (mayBeClosed && beginsWith(ours, read));
    }

    private static List<String> messages(List<String> lines) {
        return lines.stream().filter(line -> !line.equals(LAST)).toList();
    }

    private static boolean beginsWith(List<String> all, List<String> first) {
        return all.size() >= first.size() && all.subList(0, first.size()).equals(first);
    }
}
