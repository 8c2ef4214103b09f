package io.fairlead.gateway.listen;

import static io.fairlead.gateway.listen.RequestScript.assertHeard;
import static io.fairlead.gateway.listen.RequestScript.assertRefused;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Field lines of requests, each whole, byte by byte and cut at every boundary. {@code |} stands for CR LF. */
class HostileRequestFieldsTest {
    private static final String GET = "GET /a HTTP/1.1|";

    @ParameterizedTest
    @ValueSource(
            strings = {
                // RFC 9112 section 3.2, RFC 9110 section 7.2: one host, a valid one
                "X: y",
                "Host: h|Host: h",
                "Host: h|HOST: g",
                "Host: h|Host:",
                "Host:",
                "Host: ",
                "Host: a, b",
                "Host: a b",
                "Host: a/b",
                "Host: u@a",
                "Host: a?b",
                "Host: a#b",
                "Host: a\\b",
                "Host: a%41",
                "Host: a:",
                "Host: a:8x",
                "Host: a:+80",
                "Host: a:-1",
                "Host: a:65536",
                "Host: a:000080",
                "Host: a:80:80",
                "Host: :80",
                "Host: .a",
                "Host: a..",
                "Host: a..b",
                "Host: https://a",
                "Host: ::1",
                "Host: [::1",
                "Host: []",
                "Host: [::g]",
                "Host: [::1]a",
                "Host: \u00e9",
                "Host: a\u00a0",
                "Host: a,",
                // RFC 9112 section 5.2: no folding
                "Host: h|X: y| z",
                "Host: h|X: y|\tz",
                "Host: h|X: y| ",
                "Host: h|X:| y",
                " Host: h",
                "\tHost: h",
                "Host:| h",
                " |Host: h",
                // 5.1: no space before the colon; names are tokens
                "Host: h|X : y",
                "Host: h|X\t: y",
                "Host : h",
                "Host: h|X",
                "Host: h|X y",
                "Host: h|: y",
                "Host: h|:",
                "Host: h|X Y: z",
                "Host: h|X<NUL>: y",
                "Host: h|<NUL>X: y",
                "Host: h|X\u0001: y",
                "Host: h|X\u007f: y",
                "Host: h|X\u00e9: y",
                "Host: h|X(: y",
                "Host: h|X/Y: z",
                "Host: h|X,Y: z",
                "Host: h|X;Y: z",
                "Host: h|X=Y: z",
                "Host: h|X@: y",
                "Host: h|X[]: y",
                "Host: h|{X}: y",
                "Host: h|\"X\": y",
                "Host: h|X\\: y",
                // RFC 9110 section 5.5: no control bytes in values
                "Host: h|X: a<NUL>b",
                "Host: h|X: a\u0001b",
                "Host: h|X: a\u0008b",
                "Host: h|X: a\u000bb",
                "Host: h|X: \u000c",
                "Host: h|X: \u001b[0m",
                "Host: h|X: a\u007fb",
                // RFC 9112 section 2.2: lines end with CR LF
                "Host: h|X: a<CR>b",
                "Host: h|X: a<LF>b",
                "Host: h|X: a<LF>Y: b",
                "Host: h|X: a<CR>Y: b",
                "Host: h|X: a<LF>",
                "Host: h|X: a<CR>",
                "Host: h|X: a<LF> b",
                "Host: h<LF><LF>",
                "Host: h<CR><CR>",
                "Host: h|<LF>",
                "Host: h|<CR>",
                // 6, and what is asked of requests here: no body
                "Host: h|Content-Length: 1",
                "Host: h|Transfer-Encoding: chunked",
                "Host: h|Content-Length: 4|Connection: upgrade|Upgrade: websocket",
            })
    void fields_thatTwoParsersCouldReadDifferently_areRefused(String fields) {
        assertRefused(GET + fields + "||", 400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "Expect: 200-ok ~ 417",
                "Expect: ~ 417",
                "Expect: 100-continue, x ~ 417",
                "Expect: 100-continue|Expect: 100-continue ~ 417",
                "a:1|b:2|c:3|d:4|e:5 ~ 431",
                "a:1|b:2|c:3|d:4|e:5|: 6 ~ 431",
            })
    void fields_thatAreNotOffered_areRefused(String fields, int status) {
        assertRefused(GET + "Host: h|" + fields + "||", status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 1",
                "Transfer-Encoding: chunked",
                "Connection: upgrade|Content-Length: 1",
                "Connection: upgrade|Transfer-Encoding: chunked",
            })
    void upgrade_withABody_isRefused(String fields) {
        assertRefused("POST /a HTTP/1.1|Host: h|Upgrade: websocket|" + fields + "||", 400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "Host: a.b-c_d.:65535 ~ Host: a.b-c_d.:65535 ~ open",
                "Host: [::1]:80 ~ Host: [::1]:80 ~ open",
                "Host: [::ffff:1.2.3.4] ~ Host: [::ffff:1.2.3.4] ~ open",
                "HOST:h ~ HOST: h ~ open",
                "Host: \t h \t ~ Host: h ~ open",
                "Host: h|X:y ~ Host: h|X: y ~ open",
                "Host: h|X:\t y \t ~ Host: h|X: y ~ open",
                "Host: h|X: a\tb  c ~ Host: h|X: a\tb  c ~ open",
                "Host: h|X: :a: b: ~ Host: h|X: :a: b: ~ open",
                "Host: h|X: \u00e9\u0080\u00ff ~ Host: h|X: \u00e9\u0080\u00ff ~ open",
                "Host: h|X: 1|Y: 2|X: 3 ~ Host: h|X: 1|Y: 2|X: 3 ~ open",
                "Host: h|!#$%&*+-.^_`1: y ~ Host: h|!#$%&*+-.^_`1: y ~ open",
                "a:1|b:2|c:3|d:4|Host: h ~ a: 1|b: 2|c: 3|d: 4|Host: h ~ open",
                "Host: h|Content-Length: 0 ~ Host: h|Content-Length: 0 ~ open",
                "Host: h|Content_Length: 4 ~ Host: h|Content_Length: 4 ~ open",
                "Host: h|Expect: 100-Continue ~ Host: h|Expect: 100-Continue ~ open",
                "Host: h|Connection: close ~ Host: h|Connection: close ~ close",
                "Host: h|Connection: x, CLOSE ,y ~ Host: h|Connection: x, CLOSE ,y ~ close",
                "Host: h|Connection: x|connection: close ~ Host: h|Connection: x|connection: close ~ close",
                "Host: h|Connection: closed ~ Host: h|Connection: closed ~ open",
                "Host: h|Upgrade: websocket ~ Host: h|Upgrade: websocket ~ open",
                "Host: h|Connection: Upgrade|Upgrade: x ~ Host: h|Connection: Upgrade|Upgrade: x ~ close",
            })
    void fields_areHeardAsTheyAre(String fields, String heard, String end) {
        assertHeard(GET + fields + "||", "GET /a|" + heard + "||0 .", "200 " + end);
    }

    /** An empty value, of which the table's format could not say that it is there. */
    @Test
    void emptyValue_isHeard() {
        assertHeard(GET + "Host: h|X:||", "GET /a|Host: h|X: ||0 .", "200 open");
        assertHeard(GET + "Host: h|X: \t ||", "GET /a|Host: h|X: ||0 .", "200 open");
    }

    @Test
    void host_ofMoreThan255Characters_isRefused() {
        String longest = "a".repeat(255);

        assertHeard(GET + "Host: " + longest + "||", "GET /a|Host: " + longest + "||0 .", "200 open");
        assertRefused(GET + "Host: a" + longest + "||", 400);
    }

    @Test
    void fields_beyondTheLimitOfBytes_are431() {
        String longest = "Host: h|X: " + "y".repeat(286);

        assertHeard(GET + longest + "||", "GET /a|" + longest + "||0 .", "200 open");
        assertRefused(GET + longest + "y||", 431);
        assertRefused(GET + longest + "y".repeat(400) + "||", 431);
        assertRefused(GET + longest + "y".repeat(400) + "<LF>||", 431);
    }
}
