package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An attached cluster that no longer accepts Fairlead's credential: its 401 is none of the caller's. */
class RefusedCredentialTest {
    private static final String MESSAGE =
            "cluster \\\"prod\\\": the cluster refuses Fairlead's credential (401), not the caller's (expected a new"
                    + " one in the Secret that clusters.fairlead.io \\\"prod\\\" in the root cluster names)";
    private static final String UNAUTHORIZED = """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}
        """;

    private TestEdge edge;
    private RawUpstream prod;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        prod = edge.attach("prod");
        prod.answer((_, _, out) -> RawUpstream.write(
                out,
                "HTTP/1.1 401 Unauthorized\r\n"
                        + "WWW-Authenticate: Basic realm=\"kubernetes\"\r\n"
                        + "Content-Type: application/json\r\n"
                        + "Content-Length:"
                        + " " + UNAUTHORIZED.length() + "\r\n\r\n" + UNAUTHORIZED));
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/pods",
        "GET, /api/v1/pods?watch=1",
        "GET, /version",
        "GET, /api/v1/namespaces/a/pods/b/log?follow=true",
        "DELETE, /api/v1/namespaces/a/pods/b"
    })
    void caller_isTold502_andWhoseCredentialItIs(String method, String path) throws Exception {
        try (RawClient client = edge.client()) {
            assertToldToTheCaller(client.exchange(method, "/clusters/prod" + path, TestEdge.JANE));
        }
    }

    @Test
    void callerWithABody_isTold502_beforeItIsWhole() throws Exception {
        try (RawClient client = edge.client()) {
            client.send("POST /clusters/prod/api/v1/namespaces/a/configmaps HTTP/1.1\r\nHost: localhost\r\n"
                    + TestEdge.JANE + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{");

            assertToldToTheCaller(client.answer(false));
        }
    }

    @Test
    void callerOverHttp2_isTold502() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            var stream = client.open(
                    RawHttp2Client.head("GET", "/clusters/prod/api/v1/pods?watch=1")
                            .add("authorization", "Bearer jane-token"),
                    true);

            assertThat(stream.next()).isEqualTo("head 502");
            assertThat(stream.next()).startsWith("data {\"kind\":\"Status\"").contains(MESSAGE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SPDY/3.1", "websocket"})
    void upgrade_isRefusedWith502(String protocol) throws Exception {
        try (RawClient client = edge.client()) {
            assertToldToTheCaller(client.exchange(
                    "POST",
                    "/clusters/prod/api/v1/namespaces/a/pods/b/exec?command=sh",
                    TestEdge.JANE,
                    "Connection: Upgrade",
                    "Upgrade: " + protocol));
        }
    }

    @Test
    void watchByWebSocket_isRefusedWith502() throws Exception {
        try (RawClient client = edge.client()) {
            assertToldToTheCaller(client.get(
                    "/clusters/prod/api/v1/pods?watch=1",
                    TestEdge.JANE,
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="));
        }
    }

    /** Fairlead is known there, or the workload would not have been asked. */
    @Test
    void workloadBehindProxy_maySay401Itself() throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/clusters/prod/api/v1/namespaces/a/services/web/proxy/", TestEdge.JANE);

            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.header("www-authenticate")).isEqualTo("Basic realm=\"kubernetes\"");
            assertThat(answer.body()).isEqualTo(UNAUTHORIZED);
        }
    }

    private static void assertToldToTheCaller(RawAnswer answer) {
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.header("warning")).isEqualTo("299 - \"" + MESSAGE + "\"");
        assertThat(answer.header("www-authenticate")).isEmpty();
        assertThat(answer.body()).isEqualTo("""
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%1$s","reason":"BadGateway",\
            "details":{"causes":[{"reason":"CredentialRefused","message":"%1$s"}]},"code":502}
            """.formatted(MESSAGE));
    }
}
