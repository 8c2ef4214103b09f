package io.fairlead.gateway.listen;

import static io.fairlead.gateway.listen.RequestScript.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Requests behind each other (RFC 9112 section 9.3.2), whole, byte by byte and cut at every boundary: what follows the
 * last one that is answered is not parsed. {@code |} stands for CR LF.
 */
class PipelinedRequestsTest {
    private static final String A = "GET /a HTTP/1.1|Host: h||";
    private static final String HEARD_A = "GET /a|Host: h||0 .";

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "GET /b HTTP/1.1|Host: h|| ~ GET /b|Host: h||0 . ~ 200 open",
                "|GET /b HTTP/1.1|Host: h|| ~ GET /b|Host: h||0 . ~ 200 open",
                "POST /b HTTP/1.1|Content-Length: 1|Host: h||b ~ POST /b|Content-Length: 1|Host: h||1 b. ~ 200 open",
                "GET /b HTTP/1.0|| ~ GET /b||0 . ~ 200 close",
            })
    void requests_areHeardInTheirOrder(String second, String heard, String answers) {
        RequestScript.assertHeard(A + second, HEARD_A + " & " + heard, "200 " + answers);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "||GET /b HTTP/1.1|Host: h|| ~ 400",
                "GET /b HTTP/1.1|| ~ 400",
                "GET /b HTTP/1.1<LF>Host: h<LF><LF> ~ 400",
                "GET /b HTTP/1.1|Host: h| X: y|| ~ 400",
                "POST /b HTTP/1.1|Host: h|Content-Length: 1|Transfer-Encoding: chunked||0|| ~ 400",
                "GET /b HTTP/3.0|Host: h|| ~ 505",
                "GET /b HTTP/1.1|Host: h|Expect: x|| ~ 417",
                "GET /b HTTP/1.1|Host: h|1:|2:|3:|4:|5:|6:|| ~ 431",
                "x| ~ 400",
                "abcd| ~ 400",
                "0|| ~ 400",
            })
    void refusal_isTheLastAnswer(String second, int status) {
        RequestScript.Outcome outcome = outcome(A + second + A + A);

        assertThat(outcome.heard()).isEqualTo(HEARD_A);
        assertThat(outcome.answers()).isEqualTo("200 " + status + " close");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "GET /b HTTP/1.1|Host: h|Connection: close|| ~ GET /b|Host: h|Connection: close||0 .",
                "GET /b HTTP/1.1|Host: h|Connection: upgrade|Upgrade: x|| ~ "
                        + "GET /b|Host: h|Connection: upgrade|Upgrade: x||0 .",
                "GET /b HTTP/1.0|Connection: keep-alive|| ~ GET /b|Connection: keep-alive||0 .",
            })
    void lastRequest_isTheLast(String second, String heard) {
        RequestScript.Outcome outcome = outcome(A + second + A + "no request||");

        assertThat(outcome.heard()).isEqualTo(HEARD_A + " & " + heard);
        assertThat(outcome.answers()).isEqualTo("200 200 close");
    }
}
