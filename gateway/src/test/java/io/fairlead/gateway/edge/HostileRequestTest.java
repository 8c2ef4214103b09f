package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that two parsers could read differently: answered once, closed, and nothing of them goes further. */
class HostileRequestTest {
    private static final String AUTH = TestEdge.ADMIN + "\r\n";
    private static final String HOST = "Host: localhost\r\n";
    private static final String PIPELINED = "GET /clusters/prod/api/pipelined HTTP/1.1\r\n" + HOST + AUTH + "\r\n";

    private static TestEdge edge;
    private static RawUpstream prod;

    @BeforeAll
    static void start() throws Exception {
        edge = new TestEdge();
        prod = edge.attach("prod");
    }

    @AfterAll
    static void stop() throws Exception {
        edge.close();
    }

    @Test
    void trace_isNeverForwarded() throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.exchange("TRACE", "/clusters/prod/api/v1/traced", TestEdge.ADMIN);

            assertThat(answer.status()).isEqualTo(405);
            assertThat(answer.body()).contains("\"reason\":\"MethodNotAllowed\"");
        }
        assertThat(prod.heads()).noneMatch(head -> head.contains("/api/v1/traced"));
    }

    static Stream<Arguments> hostile() {
        return Stream.of(
                hostile(400, "no Host", get(AUTH)),
                hostile(400, "two Hosts", get(HOST + HOST + AUTH)),
                hostile(400, "empty Host", get("Host:\r\n" + AUTH)),
                hostile(400, "Host with a path", get("Host: a/b\r\n" + AUTH)),
                hostile(400, "Host with user info", get("Host: a@b\r\n" + AUTH)),
                hostile(400, "Host with a list", get("Host: a, b\r\n" + AUTH)),
                hostile(400, "Host with a bad port", get("Host: a:8x\r\n" + AUTH)),
                hostile(400, "Host with too high a port", get("Host: a:65536\r\n" + AUTH)),
                hostile(400, "Host with two final dots", get("Host: a..\r\n" + AUTH)),
                hostile(400, "Host with an empty label", get("Host: a..b\r\n" + AUTH)),
                hostile(400, "Host that begins with a dot", get("Host: .a\r\n" + AUTH)),
                hostile(400, "folded header", get(HOST + "X-A: 1\r\n 2\r\n" + AUTH)),
                hostile(400, "folded header with a tab", get(HOST + "X-A: 1\r\n\t2\r\n" + AUTH)),
                hostile(400, "fold before the first header", get(" " + HOST + AUTH)),
                hostile(400, "space before the colon", get(HOST + "X-A : 1\r\n" + AUTH)),
                hostile(400, "tab before the colon", get(HOST + "Impersonate-User\t: root\r\n" + AUTH)),
                hostile(400, "no colon", get(HOST + "X-A\r\n" + AUTH)),
                hostile(400, "empty name", get(HOST + ": 1\r\n" + AUTH)),
                hostile(400, "NUL in a value", get(HOST + "X-A: 1\0002\r\n" + AUTH)),
                hostile(400, "NUL in a name", get(HOST + "X\000A: 1\r\n" + AUTH)),
                hostile(400, "control byte in a value", get(HOST + "X-A: \001\r\n" + AUTH)),
                hostile(400, "non-ASCII name", get(HOST + "X-\u00e9: 1\r\n" + AUTH)),
                hostile(400, "bare LF between headers", get(HOST + "X-A: 1\n" + AUTH)),
                hostile(400, "bare CR in a value", get(HOST + "X-A: 1\rX-B: 2\r\n" + AUTH)),
                hostile(400, "LF LF at the end", "GET /clusters/prod/api HTTP/1.1\r\n" + HOST + AUTH + "\n"),
                hostile(400, "absolute form", line("GET https://localhost/clusters/prod/api HTTP/1.1")),
                hostile(400, "authority form", line("GET localhost:443 HTTP/1.1")),
                hostile(400, "asterisk form", line("OPTIONS * HTTP/1.1")),
                hostile(400, "CONNECT", line("CONNECT localhost:443 HTTP/1.1")),
                hostile(400, "no slash", line("GET clusters/prod/api HTTP/1.1")),
                hostile(400, "fragment", line("GET /clusters/prod/api#x HTTP/1.1")),
                hostile(400, "backslash", line("GET /clusters/prod\\api HTTP/1.1")),
                hostile(400, "NUL in the target", line("GET /clusters/prod/api\000 HTTP/1.1")),
                hostile(400, "tab in the target", line("GET /clusters/prod/api\t HTTP/1.1")),
                hostile(400, "raw non-ASCII in the target", line("GET /clusters/prod/\u00e9 HTTP/1.1")),
                hostile(400, "DEL in the target", line("GET /clusters/prod/\u007f HTTP/1.1")),
                hostile(400, "bad percent escape", line("GET /clusters/prod/%zz HTTP/1.1")),
                hostile(400, "cut percent escape", line("GET /clusters/prod/api?x=%2 HTTP/1.1")),
                hostile(400, "two spaces", line("GET  /clusters/prod/api HTTP/1.1")),
                hostile(400, "space behind the version", line("GET /clusters/prod/api HTTP/1.1 ")),
                hostile(400, "three words more", line("GET /clusters/prod/api x HTTP/1.1")),
                hostile(400, "tab instead of a space", line("GET\t/clusters/prod/api\tHTTP/1.1")),
                hostile(400, "no version", line("GET /clusters/prod/api")),
                hostile(400, "lower-case version", line("GET /clusters/prod/api http/1.1")),
                hostile(400, "long version", line("GET /clusters/prod/api HTTP/1.10")),
                hostile(505, "version 2.0", line("GET /clusters/prod/api HTTP/2.0")),
                hostile(505, "version 1.2", line("GET /clusters/prod/api HTTP/1.2")),
                hostile(400, "method with a colon", line("G:T /clusters/prod/api HTTP/1.1")),
                hostile(400, "empty request line", "\r\n\r\n" + HOST + AUTH + "\r\n"),
                hostile(
                        400,
                        "length and coding",
                        post("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
                hostile(
                        400,
                        "coding and length",
                        post("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", "0\r\n\r\n")),
                hostile(400, "two lengths", post("Content-Length: 4\r\nContent-Length: 5\r\n", "abcd")),
                hostile(400, "two equal lengths", post("Content-Length: 4\r\nContent-Length: 4\r\n", "abcd")),
                hostile(400, "list of lengths", post("Content-Length: 4, 4\r\n", "abcd")),
                hostile(400, "signed length", post("Content-Length: +4\r\n", "abcd")),
                hostile(400, "negative length", post("Content-Length: -4\r\n", "abcd")),
                hostile(400, "hexadecimal length", post("Content-Length: 0x4\r\n", "abcd")),
                hostile(400, "huge length", post("Content-Length: 99999999999999999999\r\n", "abcd")),
                hostile(400, "empty length", post("Content-Length:\r\n", "")),
                hostile(
                        400,
                        "two codings",
                        post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
                hostile(400, "list of codings", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")),
                hostile(400, "chunked not last", post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n")),
                hostile(400, "identity coding", post("Transfer-Encoding: identity\r\n", "")),
                hostile(400, "coding with a vertical tab", post("Transfer-Encoding: \013chunked\r\n", "0\r\n\r\n")),
                hostile(
                        400,
                        "coding in HTTP/1.0",
                        "POST /clusters/prod/api HTTP/1.0\r\n" + HOST + AUTH
                                + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
                hostile(400, "body with GET", get(HOST + AUTH + "Content-Length: 4\r\n") + "abcd"),
                hostile(400, "chunked GET", get(HOST + AUTH + "Transfer-Encoding: chunked\r\n") + "0\r\n\r\n"),
                hostile(
                        400,
                        "body with an upgrade",
                        post("Connection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 4\r\n", "abcd")),
                hostile(417, "unknown expectation", post("Expect: 200-ok\r\nContent-Length: 4\r\n", "abcd")),
                hostile(414, "long target", line("GET /clusters/prod/" + "a".repeat(9000) + " HTTP/1.1")),
                hostile(431, "many headers", get(HOST + AUTH + "X-A: 1\r\n".repeat(200))),
                hostile(431, "large headers", get(HOST + AUTH + ("X-A: " + "a".repeat(1000) + "\r\n").repeat(80))));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("hostile")
    void hostileRequest_isRefusedClosedAndForwardedNowhere(int status, String what, String request) throws Exception {
        try (RawClient client = edge.client()) {
            client.send(request + PIPELINED);

            RawAnswer answer = client.answer(false);
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.body()).contains("\"kind\":\"Status\"").contains("\"code\":" + status);
            assertThat(answer.header("connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(prod.received()).isEmpty();
    }

    static Stream<Arguments> brokenBodies() {
        return Stream.of(
                Arguments.of("size is no number", "zz\r\n"),
                Arguments.of("size is signed", "+4\r\nabcd\r\n0\r\n\r\n"),
                Arguments.of("size has a prefix", "0x4\r\nabcd\r\n0\r\n\r\n"),
                Arguments.of("size is huge", "ffffffffffffffff\r\n"),
                Arguments.of("size ends with LF alone", "4\nabcd\r\n0\r\n\r\n"),
                Arguments.of("data is longer than its size", "4\r\nabcdef\r\n0\r\n\r\n"),
                Arguments.of("control byte in an extension", "4;a=\001\r\nabcd\r\n0\r\n\r\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenBodies")
    void brokenChunks_toAHostedCluster_are400AndNotServed(String what, String body) throws Exception {
        FakeHosted dev = edge.host("dev");
        try (RawClient client = edge.client()) {
            client.send("POST /clusters/dev/api/v1/pods HTTP/1.1\r\n" + HOST + AUTH
                    + "Transfer-Encoding: chunked\r\n\r\n" + body);

            assertThat(client.answer(false).status()).isEqualTo(400);
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(dev.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/clusters/PROD/api",
                "/clusters/pr%6fd/api",
                "/clusters/../prod/api",
                "/clusters//api",
                "/clusters/prod;x/api",
                "/clusters/prod/api//v1",
                "/clusters/prod/api/../v1",
                "/clusters/prod/api/v1/namespaces/x/po%64s/y/exec",
                "/clusters/prod/api/v1%2Fpods",
                "/clusters/prod/api/v1/pods;x"
            })
    void targetWithTwoReadings_is400AndForwardedNowhere(String target) throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get(target, TestEdge.ADMIN);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("\"reason\":\"BadRequest\"");
        }
        assertThat(prod.received()).isEmpty();
    }

    @Test
    void ordinaryRequest_isForwarded() throws Exception {
        // The canary: the same recorder does see a request that is let through.
        RawUpstream seen = edge.attach("seen");
        try (RawClient client = edge.client()) {
            client.send("GET /clusters/seen/api HTTP/1.1\r\n" + HOST + AUTH + "\r\n");
            assertThat(client.answer(false).status()).isEqualTo(200);
        }
        assertThat(seen.received()).startsWith("GET /api HTTP/1.1\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"te: gzip", "X-Upper: 1", "host: elsewhere"})
    void http2HeaderField_thatMustNotBe_isRefused(String field) throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            int colon = field.indexOf(':');
            var stream = client.open(
                    RawHttp2Client.head("GET", "/clusters/prod/api")
                            .add("authorization", "Bearer admin-token")
                            .add(field.substring(0, colon), field.substring(colon + 2)),
                    true);

            assertThat(stream.next()).isIn("head 400", "reset PROTOCOL_ERROR");
        }
        assertThat(prod.received()).isEmpty();
    }

    @Test
    void http2Request_withoutPath_isReset() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            var headers = RawHttp2Client.head("GET", "/").add("authorization", "Bearer admin-token");
            headers.remove(":path");

            assertThat(client.open(headers, true).next()).isEqualTo("reset PROTOCOL_ERROR");
        }
    }

    private static Arguments hostile(int status, String what, String request) {
        return Arguments.of(status, what, request);
    }

    private static String line(String requestLine) {
        return requestLine + "\r\n" + HOST + AUTH + "\r\n";
    }

    private static String get(String fields) {
        return "GET /clusters/prod/api HTTP/1.1\r\n" + fields + "\r\n";
    }

    private static String post(String fields, String body) {
        return "POST /clusters/prod/api HTTP/1.1\r\n" + HOST + AUTH + fields + "\r\n" + body;
    }
}
