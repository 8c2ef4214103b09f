package io.fairlead.gateway.listen;

import static io.fairlead.gateway.listen.RequestScript.assertHeard;
import static io.fairlead.gateway.listen.RequestScript.assertRefused;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The framing of requests, each whole, byte by byte and cut at every boundary. {@code |} stands for CR LF. */
class HostileRequestBodyTest {
    private static final String POST = "POST /a HTTP/1.1|Host: h|";
    private static final String HEARD = "POST /a|Host: h|";
    private static final String CHUNKED = "Transfer-Encoding: chunked||";

    @ParameterizedTest
    @ValueSource(
            strings = {
                // RFC 9112 section 6.3: one framing
                "Content-Length: 4|Transfer-Encoding: chunked||0||",
                "Transfer-Encoding: chunked|Content-Length: 4||0||",
                "Transfer-Encoding: chunked|Content-Length: 0||0||",
                "Transfer-Encoding: chunked|Content-Length:||0||",
                "Content-Length: 4|Transfer-Encoding: identity||abcd",
                "Content-Length: 4|Transfer-Encoding:||abcd",
                // RFC 9110 section 8.6: one length, in digits
                "Content-Length: 4|Content-Length: 4||abcd",
                "Content-Length: 4|Content-Length: 5||abcd",
                "Content-Length: 4|content-length: 4||abcd",
                "Content-Length: 0|Content-Length: 4||abcd",
                "Content-Length: 4|Content-Length:||abcd",
                "Content-Length: 4, 4||abcd",
                "Content-Length: 4,4||abcd",
                "Content-Length: 4,||abcd",
                "Content-Length: ,4||abcd",
                "Content-Length: 4, 5||abcd",
                "Content-Length:||",
                "Content-Length: \t||",
                "Content-Length: +4||abcd",
                "Content-Length: -4||abcd",
                "Content-Length: -0||",
                "Content-Length: 0x4||abcd",
                "Content-Length: 4 4||abcd",
                "Content-Length: 4;||abcd",
                "Content-Length: 4.0||abcd",
                "Content-Length: 4e0||abcd",
                "Content-Length: 4_0||abcd",
                "Content-Length: \"4\"||abcd",
                "Content-Length: 4a||abcd",
                "Content-Length: \u00b2||abcd",
                "Content-Length: \u00a04||abcd",
                "Content-Length: \u000b4||abcd",
                "Content-Length: 4\u000c||abcd",
                "Content-Length: 4<NUL>||abcd",
                "Content-Length: 0000000000000000004||abcd",
                "Content-Length: 1000000000000000000||abcd",
                "Content-Length: 9223372036854775808||abcd",
                "Content-Length: 18446744073709551620||abcd",
                "Content-Length : 4||abcd",
                "Content-Length\t: 4||abcd",
                "Content-Length:| 4||abcd",
                "Content-Length: 4| 0||abcd",
                // RFC 9112 section 6.1: chunked, alone
                "Transfer-Encoding:||0||",
                "Transfer-Encoding: identity||0||",
                "Transfer-Encoding: gzip||0||",
                "Transfer-Encoding: gzip, chunked||0||",
                "Transfer-Encoding: chunked, gzip||0||",
                "Transfer-Encoding: chunked, identity||0||",
                "Transfer-Encoding: identity, chunked||0||",
                "Transfer-Encoding: chunked, chunked||0||",
                "Transfer-Encoding: chunked,||0||",
                "Transfer-Encoding: ,chunked||0||",
                "Transfer-Encoding: xchunked||0||",
                "Transfer-Encoding: chunkedx||0||",
                "Transfer-Encoding: x chunked||0||",
                "Transfer-Encoding: chunk ed||0||",
                "Transfer-Encoding: chunked;q=1||0||",
                "Transfer-Encoding: \"chunked\"||0||",
                "Transfer-Encoding: \u000bchunked||0||",
                "Transfer-Encoding: chunked\u000c||0||",
                "Transfer-Encoding: chunked<NUL>||0||",
                "Transfer-Encoding: \u00a0chunked||0||",
                "Transfer-Encoding: chun\u00adked||0||",
                "Transfer-Encoding: chunked|Transfer-Encoding: chunked||0||",
                "Transfer-Encoding: chunked|transfer-encoding: identity||0||",
                "Transfer-Encoding: gzip|Transfer-Encoding: chunked||0||",
                "Transfer-Encoding : chunked||0||",
                "Transfer-Encoding\t: chunked||0||",
                "Transfer-Encoding:| chunked||0||",
                "Transfer-Encoding: chunked| ||0||",
                "X: y<LF>Transfer-Encoding: chunked||0||",
                "X: y<CR>Transfer-Encoding: chunked||0||",
            })
    void framing_thatTwoParsersCouldReadDifferently_isRefused(String request) {
        assertRefused(POST + request, 400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                // RFC 9112 section 7.1: sizes
                "x| ~ ''",
                "| ~ ''",
                ";a| ~ ''",
                "g|a|0|| ~ ''",
                "0x1|a|0|| ~ ''",
                "-1|a|0|| ~ ''",
                "+1|a|0|| ~ ''",
                "1_0|a|0|| ~ ''",
                "1.|a|0|| ~ ''",
                "1,1|a|0|| ~ ''",
                "' 1|a|0||' ~ ''",
                "1 |a|0|| ~ ''",
                "1\t|a|0|| ~ ''",
                "'\t1|a|0||' ~ ''",
                "1<NUL>|a|0|| ~ ''",
                "1\u000b|a|0|| ~ ''",
                "1\u00b2|a|0|| ~ ''",
                "0000000000000001|a|0|| ~ ''",
                "fffffffffffffffff|a|0|| ~ ''",
                "10000000000000001|a|0|| ~ ''",
                "1|a|x| ~ a",
                "1|a|1|b|-0|| ~ ab",
                // 2.2: lines
                "1<LF>a|0|| ~ ''",
                "1<CR>a|0|| ~ ''",
                "1<CR><CR><LF>a|0|| ~ ''",
                "1|a<LF>0|| ~ a",
                "1|a<CR>0|| ~ a",
                "1|a0|| ~ a",
                "1|ab|0|| ~ a",
                "2|a||0|| ~ a<CR>",
                "1|a|0<LF>| ~ a",
                "1|a|0|<LF> ~ a",
                // 7.1.1: extensions
                "1;|a|0|| ~ ''",
                "1;;a|a|0|| ~ ''",
                "1;=b|a|0|| ~ ''",
                "1;a=|a|0|| ~ ''",
                "1;a=;b|a|0|| ~ ''",
                "1 ;a|a|0|| ~ ''",
                "1; a|a|0|| ~ ''",
                "1;a =b|a|0|| ~ ''",
                "1;a= b|a|0|| ~ ''",
                "1;a=b c|a|0|| ~ ''",
                "1;a=\"b|a|0|| ~ ''",
                "1;a=\"b\"c|a|0|| ~ ''",
                "1;a=\"\\\"|a|0|| ~ ''",
                "1;a=\"\u0001\"|a|0|| ~ ''",
                "1;a<NUL>|a|0|| ~ ''",
                "1;a\u00e9|a|0|| ~ ''",
                "1;a=\"\u00e9\"|a|0|| ~ ''",
                "1;a<CR>b|a|0|| ~ ''",
                "1;a<LF>b|a|0|| ~ ''",
                "1;a=\"<LF>\"|a|0|| ~ ''",
                "0;a=\u0001|| ~ ''",
                // 7.1.2, 5: trailers are fields
                "1|a|0|X|| ~ a",
                "1|a|0|: y|| ~ a",
                "1|a|0|X : y|| ~ a",
                "1|a|0| X: y|| ~ a",
                "1|a|0|X: y| z|| ~ a",
                "1|a|0|X: a<NUL>b|| ~ a",
                "1|a|0|X: a\u0001b|| ~ a",
                "1|a|0|X: a<CR>b|| ~ a",
                "1|a|0|X: a<LF>b|| ~ a",
                "1|a|0|X: y<LF>| ~ a",
                "1|a|0|GET /b HTTP/1.1|Host: h|| ~ a",
            })
    void chunks_thatTwoParsersCouldReadDifferently_areRefused(String chunks, String heard) {
        assertRefused(POST + CHUNKED + chunks, HEARD + CHUNKED + "? " + heard.replace("<CR>", "\r") + " gone", 400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "0|| ~ .",
                "4|abcd|0|| ~ abcd.",
                "1|a|02|bc|0|| ~ abc.",
                "A|0123456789|0|| ~ 0123456789.",
                "a|0123456789|0|| ~ 0123456789.",
                "000000000000001|a|000000000000000|| ~ a.",
                "2|||0|| ~ <CR><LF>.",
                "5|0<CR><LF><CR><LF>|0|| ~ 0<CR><LF><CR><LF>.",
                "1;a|a|0;b|| ~ a.",
                "1;a=b;c=\"d;\\\"e\\\\\";f|a|0|| ~ a.",
                "1|a|0|X: y|Y:|| ~ a.",
                // No handler hears of a trailer, whatever it says.
                "1|a|0|X-Remote-User: root|Impersonate-User: root|| ~ a.",
                "1|a|0|Authorization: Bearer x|Connection: close|| ~ a.",
                "1|a|0|Content-Length: 9|Transfer-Encoding: chunked|Host: evil|| ~ a.",
            })
    void chunks_areHeardAsABody(String chunks, String heard) {
        String body = heard.replace("<CR>", "\r").replace("<LF>", "\n");
        assertHeard(POST + CHUNKED + chunks, HEARD + CHUNKED + "? " + body, "200 open");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "| ~ |0 . ~ 200 open",
                "Content-Length: 0|| ~ Content-Length: 0||0 . ~ 200 open",
                "Content-Length: 4||abcd ~ Content-Length: 4||4 abcd. ~ 200 open",
                "Content-Length: 000000000000000004||abcd ~ Content-Length: 000000000000000004||4 abcd. ~ 200 open",
                "content-length:\t3 ||GET ~ content-length: 3||3 GET. ~ 200 open",
                "Transfer-Encoding: CHUNKED||0|| ~ Transfer-Encoding: CHUNKED||? . ~ 200 open",
                "transfer-encoding:\tChunked \t||0|| ~ transfer-encoding: Chunked||? . ~ 200 open",
                "Expect: 100-continue|Content-Length: 1||a ~ Expect: 100-continue|Content-Length: 1||1 a. ~ 100 200"
                        + " open",
                "Expect: 100-continue|Content-Length: 0|| ~ Expect: 100-continue|Content-Length: 0||0 . ~ 200 open",
                "Content-Length: 1|Connection: close||a ~ Content-Length: 1|Connection: close||1 a. ~ 200 close",
            })
    void body_isHeardAsLongAsItSays(String request, String heard, String answers) {
        assertHeard(POST + request, HEARD + heard, answers);
    }

    @Test
    void version10_hasBodiesOfALengthAlone() {
        String post = "POST /a HTTP/1.0|";

        assertHeard(post + "Content-Length: 2||ab", "POST /a|Content-Length: 2||2 ab.", "200 close");
        assertHeard(
                post + "Expect: 100-continue|Content-Length: 1||a",
                "POST /a|Expect: 100-continue|Content-Length: 1||1 a.",
                "200 close");
        assertRefused(post + CHUNKED + "0||", 400);
        assertRefused(post + "Host: h|" + CHUNKED + "0||", 400);
    }

    @Test
    void delete_mayHaveABody() {
        assertHeard(
                "DELETE /a HTTP/1.1|Host: h|Content-Length: 1||a",
                "DELETE /a|Host: h|Content-Length: 1||1 a.",
                "200 open");
    }
}
