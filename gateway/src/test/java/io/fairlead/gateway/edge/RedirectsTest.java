package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients follow a redirect with their credential for the gateway, and repeat their request where it leads: an attached cluster may
 * name its own paths alone. The cluster of these tests is {@code https://upstream.test}.
 */
class RedirectsTest extends FakeUpstreamFixture {
    @ParameterizedTest
    @CsvSource({
        "https://upstream.test/api/v1/x?y=1, /clusters/fake/api/v1/x?y=1",
        "https://UPSTREAM.test:443/x, /clusters/fake/x",
        "HTTPS://upstream.test, /clusters/fake/",
        "//upstream.test/x, /clusters/fake/x",
        "/api/v1/x, /clusters/fake/api/v1/x",
        "/, /clusters/fake/",
        "x/y, /clusters/fake/api/v1/x/y",
        "./, /clusters/fake/api/v1/",
        "../x/./y/, /clusters/fake/api/x/y/",
        "?limit=1, /clusters/fake/api/v1/pods?limit=1",
        "#here, /clusters/fake/api/v1/pods?watch=0#here",
        "/a%2Fb/%20c, /clusters/fake/a%2Fb/%20c",
        "/../dev/api, /clusters/fake/dev/api",
        "../../../../dev/api, /clusters/fake/dev/api",
        "https://upstream.test/../clusters/dev/api, /clusters/fake/clusters/dev/api",
        "///elsewhere.test/x, /clusters/fake/elsewhere.test/x",
        "/x/.., /clusters/fake/",
        "/x//../y, /clusters/fake/x/y"
    })
    void locationOfTheCluster_leadsBelowItsPrefix(String location, String expected) throws Exception {
        RawAnswer answer = answered("GET", 302, location);

        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.header("location")).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://elsewhere.test/x",
                "http://upstream.test/x",
                "https://upstream.test:8443/x",
                "https://user@upstream.test/x",
                "https://user:secret@upstream.test/x",
                "https://upstream.test.elsewhere.test/x",
                "//elsewhere.test/x",
                "/\\\\elsewhere.test/x",
                "\\\\elsewhere.test/x",
                "https:x",
                "https:/x",
                "https:///x",
                "javascript:alert(1)",
                "data:text/html,x",
                "/%2e%2e/dev/api",
                "/x/.%2E/../dev",
                "%2e%2e/dev",
                "/x y",
                "/x\u00e9",
                "https://[::1",
                "https://localhost/clusters/fake/x"
            })
    void locationElsewhere_isRefused_whateverIsAsked(String location) throws Exception {
        for (int status : new int[] {300, 301, 302, 303, 307, 308}) {
            RawAnswer answer = answered(status == 308 ? "DELETE" : "GET", status, location);

            assertThat(answer.status()).as("%d", status).isEqualTo(502);
            assertThat(answer.header("location")).isEmpty();
            assertThat(answer.body())
                    .contains("\"reason\":\"ClusterRedirected\"")
                    .doesNotContain("elsewhere");
        }
    }

    @Test
    void twoLocations_areRefused() throws Exception {
        assertThat(answer("GET", call -> call.answer(302, "Location: /x", "Location: /y", "Content-Length: 0"))
                        .status())
                .isEqualTo(502);
    }

    /** What was made may be named anywhere; no client follows it by itself, and none shall. */
    @Test
    void locationElsewhere_ofAnAnswerThatIsNoRedirect_isDropped() throws Exception {
        RawAnswer elsewhere = answered("POST", 201, "https://elsewhere.test/x");
        assertThat(elsewhere.status()).isEqualTo(201);
        assertThat(elsewhere.header("location")).isEmpty();

        assertThat(answered("POST", 201, "/api/v1/x").header("location")).isEqualTo("/clusters/fake/api/v1/x");
    }

    @Test
    void redirectWithoutLocation_isPassedOn() throws Exception {
        assertThat(answer("GET", call -> call.answer(304, "ETag: \"1\"")).status())
                .isEqualTo(304);
    }

    private RawAnswer answered(String method, int status, String location) throws Exception {
        return answer(method, call -> call.answer(status, "Location: " + location, "Content-Length: 0"));
    }

    private RawAnswer answer(String method, Answering answering) throws Exception {
        try (RawClient client = edge.client()) {
            client.send(
                    method + " /clusters/fake/api/v1/pods?watch=0 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
                            + TestEdge.JANE + "\r\n\r\n");
            FakeUpstream.Call call = fake.next();
            answering.answer(call);
            call.tell(() -> call.receiver().onEnd());
            return client.answer(false);
        }
    }

    private interface Answering {
        void answer(FakeUpstream.Call call) throws Exception;
    }
}
