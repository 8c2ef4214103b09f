package io.fairlead.gateway.listen;

import static io.fairlead.gateway.listen.RequestScript.assertHeard;
import static io.fairlead.gateway.listen.RequestScript.assertRefused;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** First lines of requests, each whole, byte by byte and cut at every boundary. {@code |} stands for CR LF. */
class HostileRequestLineTest {
    private static final String REST = "|Host: h||";

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                // RFC 9112 section 3: three words, one space between them
                "GET ~ 400",
                "GET /a ~ 400",
                "/a HTTP/1.1 ~ 400",
                "GET HTTP/1.1 ~ 400",
                "' GET /a HTTP/1.1' ~ 400",
                "'GET /a HTTP/1.1 ' ~ 400",
                "GET  /a HTTP/1.1 ~ 400",
                "GET /a  HTTP/1.1 ~ 400",
                "GET /a b HTTP/1.1 ~ 400",
                "GET\t/a\tHTTP/1.1 ~ 400",
                "GET /a\tHTTP/1.1 ~ 400",
                "'GET /a HTTP/1.1\t' ~ 400",
                "GET /a\u000bHTTP/1.1 ~ 400",
                "GET\u000c/a HTTP/1.1 ~ 400",
                "GET /a\u00a0HTTP/1.1 ~ 400",
                "GET /a\u0085HTTP/1.1 ~ 400",
                "HTTP/1.1 200 OK ~ 400",
                "SSH-2.0-client ~ 400",
                "'\u0016\u0003\u0001\u0000\u00a5' ~ 400",
                // 2.2: lines, and what may stand before the first
                "||GET /a HTTP/1.1 ~ 400",
                "|||GET /a HTTP/1.1 ~ 400",
                "<LF>GET /a HTTP/1.1 ~ 400",
                "<CR>GET /a HTTP/1.1 ~ 400",
                "<CR><CR><LF>GET /a HTTP/1.1 ~ 400",
                "|<LF>GET /a HTTP/1.1 ~ 400",
                "'| GET /a HTTP/1.1' ~ 400",
                "<NUL>GET /a HTTP/1.1 ~ 400",
                "GET /a HTTP/1.1<LF> ~ 400",
                "GET /a HTTP/1.1<CR> ~ 400",
                "GET /a<LF>HTTP/1.1 ~ 400",
                "GET /a<CR> HTTP/1.1 ~ 400",
                "GET <CR>/a HTTP/1.1 ~ 400",
                "GET /a | HTTP/1.1 ~ 400",
                // 2.3: versions
                "GET /a HTTP/0.9 ~ 505",
                "GET /a HTTP/1.2 ~ 505",
                "GET /a HTTP/2.0 ~ 505",
                "GET /a HTTP/9.9 ~ 505",
                "GET /a HTTP/1.10 ~ 400",
                "GET /a HTTP/01.1 ~ 400",
                "GET /a HTTP/1 ~ 400",
                "GET /a HTTP/1. ~ 400",
                "GET /a HTTP/1,1 ~ 400",
                "GET /a HTTP/1.1.1 ~ 400",
                "GET /a HTTP/11 ~ 400",
                "GET /a http/1.1 ~ 400",
                "GET /a HTTPS/1.1 ~ 400",
                "GET /a HTTP1.1 ~ 400",
                "GET /a <NUL>HTTP/1.1 ~ 400",
                "PRI * HTTP/2.0 ~ 400",
                // RFC 9110 section 9.1: methods are tokens; CONNECT is for proxies
                "G:T /a HTTP/1.1 ~ 400",
                "G(T) /a HTTP/1.1 ~ 400",
                "G/T /a HTTP/1.1 ~ 400",
                "\"GET\" /a HTTP/1.1 ~ 400",
                "G\u00c9T /a HTTP/1.1 ~ 400",
                "G<NUL>T /a HTTP/1.1 ~ 400",
                "G\u007fT /a HTTP/1.1 ~ 400",
                "G\tT /a HTTP/1.1 ~ 400",
                "CONNECT h:443 HTTP/1.1 ~ 400",
                "CONNECT /a HTTP/1.1 ~ 400",
                "connect h:443 HTTP/1.1 ~ 400",
                "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFG /a HTTP/1.1 ~ 400",
                // RFC 9112 section 3.2: origin form alone
                "GET https://h/a HTTP/1.1 ~ 400",
                "GET HTTP://h/a HTTP/1.1 ~ 400",
                "GET h:443 HTTP/1.1 ~ 400",
                "GET h/a HTTP/1.1 ~ 400",
                "GET a HTTP/1.1 ~ 400",
                "GET ?a HTTP/1.1 ~ 400",
                "GET * HTTP/1.1 ~ 400",
                "OPTIONS * HTTP/1.1 ~ 400",
                "GET ./a HTTP/1.1 ~ 400",
                // RFC 3986: what a target consists of
                "GET /a#b HTTP/1.1 ~ 400",
                "GET /a?b#c HTTP/1.1 ~ 400",
                "GET /a\\b HTTP/1.1 ~ 400",
                "GET /a?b\\c HTTP/1.1 ~ 400",
                "GET /a% HTTP/1.1 ~ 400",
                "GET /a%2 HTTP/1.1 ~ 400",
                "GET /a%zz HTTP/1.1 ~ 400",
                "GET /a%2z HTTP/1.1 ~ 400",
                "GET /a%%20 HTTP/1.1 ~ 400",
                "GET /a%u0041 HTTP/1.1 ~ 400",
                "GET /a?b=%a HTTP/1.1 ~ 400",
                "GET /a%\u00b2\u00b2 HTTP/1.1 ~ 400",
                "GET /a<NUL> HTTP/1.1 ~ 400",
                "GET /a\u0001 HTTP/1.1 ~ 400",
                "GET /a\u001bb HTTP/1.1 ~ 400",
                "GET /a\u007f HTTP/1.1 ~ 400",
                "GET /\u00e9 HTTP/1.1 ~ 400",
                "GET /a?\u00e9 HTTP/1.1 ~ 400",
            })
    void line_ofNoRequest_isRefused(String line, int status) {
        assertRefused(line + REST, status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "GET / HTTP/1.1 ~ GET /",
                "|GET /a HTTP/1.1 ~ GET /a",
                "GET /a?b=c&d=/?e HTTP/1.1 ~ GET /a?b=c&d=/?e",
                "GET /a? HTTP/1.1 ~ GET /a?",
                "GET /a%2Fb%00%C3%a9 HTTP/1.1 ~ GET /a%2Fb%00%C3%a9",
                "GET /a;b=c,d HTTP/1.1 ~ GET /a;b=c,d",
                "GET //h/a HTTP/1.1 ~ GET //h/a",
                "GET /a/../b/. HTTP/1.1 ~ GET /a/../b/.",
                "GET /https://h/a HTTP/1.1 ~ GET /https://h/a",
                "GET /{a}^`<b>\" HTTP/1.1 ~ GET /{a}^`<b>\"",
                "get /a HTTP/1.1 ~ get /a",
                "connect /a HTTP/1.1 ~ connect /a",
                "PATCH /a HTTP/1.1 ~ PATCH /a",
                "DELETE /a HTTP/1.1 ~ DELETE /a",
                "TRACE /a HTTP/1.1 ~ TRACE /a",
                "M-SEARCH /a HTTP/1.1 ~ M-SEARCH /a",
                "!#$%&*+-.^_`1 /a HTTP/1.1 ~ !#$%&*+-.^_`1 /a",
                "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF /a HTTP/1.1 ~ ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF /a",
            })
    void line_ofARequest_isHeardAsItIs(String line, String methodAndTarget) {
        assertHeard(line + REST, methodAndTarget + "|Host: h||0 .", "200 open");
    }

    @Test
    void version10_hasOneRequest() {
        assertHeard("GET /a HTTP/1.0" + REST, "GET /a|Host: h||0 .", "200 close");
        assertHeard("GET /a HTTP/1.0||", "GET /a||0 .", "200 close");
        assertHeard("GET /a HTTP/1.0|Connection: keep-alive||", "GET /a|Connection: keep-alive||0 .", "200 close");
    }

    @Test
    void target_beyondTheLimit_is414() {
        String longest = "/" + "a".repeat(99);

        assertHeard("GET " + longest + " HTTP/1.1" + REST, "GET " + longest + "|Host: h||0 .", "200 open");
        assertRefused("GET " + longest + "a HTTP/1.1" + REST, 414);
        assertRefused("GET " + longest.repeat(2) + " HTTP/1.1" + REST, 414);
        assertRefused("GET " + longest.repeat(6) + " HTTP/1.1" + REST, 414);
    }

    /** Whatever else is wrong with it: it is not read so far. */
    @Test
    void line_farBeyondTheLimit_is414_beforeItsEnd() {
        assertRefused("GET " + "%".repeat(400) + REST, 414);
        assertRefused("G".repeat(400) + REST, 414);
        assertRefused("G".repeat(163) + "<LF>" + REST, 400);
        assertRefused("G".repeat(165) + "<LF>" + REST, 414);
    }
}
