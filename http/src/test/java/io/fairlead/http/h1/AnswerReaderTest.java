package io.fairlead.http.h1;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.Malformed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers, each whole, byte by byte and cut at every boundary. {@code |} stands for CR LF, {@code .} for
 * the end. */
class AnswerReaderTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                // framing
                "GET ~ HTTP/1.1 200 OK|Content-Length: 2||ok ~ 200:ok.",
                "GET ~ HTTP/1.1 200 OK|Content-Length: 0|| ~ 200:.",
                "GET ~ HTTP/1.1 200 OK|content-length:2||ok ~ 200:ok.",
                "GET ~ HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|1|!|0|| ~ 200:ok!.",
                "GET ~ HTTP/1.1 200 OK|Transfer-Encoding: CHUNKED||002;x=y|ok|0|t: u|| ~ 200:ok.",
                "GET ~ HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|| ~ 200:.",
                "GET ~ HTTP/1.1 200 OK|Transfer-Encoding: chunked||1;a;b=c;d=\"e;\\\"\"|x|0;z|| ~ 200:x.",
                "GET ~ HTTP/1.1 200 OK||ok ~ 200 last:ok",
                "GET ~ HTTP/1.0 200 OK|Content-Length: 2||ok ~ 200 last:ok.",
                "GET ~ HTTP/1.1 200 OK|Connection: x, Close|Content-Length: 2||ok ~ 200 last:ok.",
                "GET ~ HTTP/1.1 200|Content-Length: 2||ok ~ 200:ok.",
                "GET ~ HTTP/1.1 200 |Content-Length: 2||ok ~ 200:ok.",
                "GET ~ HTTP/1.1 200 caf\u00e9|Content-Length: 2||ok ~ 200:ok.",
                "GET ~ HTTP/1.1 599 Odd|Content-Length: 2||ok ~ 599:ok.",
                // no body
                "HEAD ~ HTTP/1.1 200 OK|Content-Length: 7|| ~ 200:.",
                "HEAD ~ HTTP/1.1 200 OK|Transfer-Encoding: chunked|| ~ 200:.",
                "HEAD ~ HTTP/1.1 200 OK|| ~ 200:.",
                "GET ~ HTTP/1.1 204 No Content|| ~ 204:.",
                "GET ~ HTTP/1.1 204 No Content|Content-Length: 0|| ~ 204:.",
                "GET ~ HTTP/1.1 304 Not Modified|Content-Length: 7|| ~ 304:.",
                "GET ~ HTTP/1.1 304 Not Modified|Transfer-Encoding: chunked|| ~ 304:.",
                // interim answers
                "GET ~ HTTP/1.1 100 Continue||HTTP/1.1 200 OK|Content-Length: 1||x ~ 100 200:x.",
                "GET ~ HTTP/1.1 103 Hints|Link: x||HTTP/1.1 102 P||HTTP/1.1 204 N|| ~ 103 102 204:.",
                "GET ~ HTTP/1.1 101 Switching|Upgrade: x||raw ~ 101 rest",
                // behind the answer
                "GET ~ HTTP/1.1 200 OK|Content-Length: 2||okHTTP/1.1 200 OK|| ~ 200:ok. rest",
                "GET ~ HTTP/1.1 204 N||x ~ 204:. rest",
                "HEAD ~ HTTP/1.1 200 OK|Content-Length: 2||ok ~ 200:. rest",
                "GET ~ HTTP/1.1 200 OK|Transfer-Encoding: chunked||0||x ~ 200:. rest",
                "GET ~ HTTP/1.1 204 N||| ~ 204:. rest",
            })
    void answer_isRead(String method, String answer, String heard) {
        assertHeard(method, answer, heard);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                // RFC 9112 section 4: the status line
                "220 mail.example.com ESMTP| ~ malformed",
                "HTTP/2 200 OK|| ~ malformed",
                "HTTP/1.2 200 OK|| ~ malformed",
                "HTTP/0.9 200 OK|| ~ malformed",
                "http/1.1 200 OK|| ~ malformed",
                "HTTP/1.1  200 OK|| ~ malformed",
                "HTTP/1.1 20 OK|| ~ malformed",
                "HTTP/1.1 2000 OK|| ~ malformed",
                "HTTP/1.1 099 OK|| ~ malformed",
                "HTTP/1.1 600 OK|| ~ malformed",
                "HTTP/1.1 +20 OK|| ~ malformed",
                "HTTP/1.1 2x0 OK|| ~ malformed",
                "HTTP/1.1 || ~ malformed",
                "HTTP/1.1 200 O\u0000K|| ~ malformed",
                "HTTP/1.1 200 O\u007fK|| ~ malformed",
                "|HTTP/1.1 200 OK|| ~ malformed",
                // 2.2, 5: lines
                "HTTP/1.1 200 OK<LF> ~ malformed",
                "HTTP/1.1 200 OK|X: y<LF> ~ malformed",
                "HTTP/1.1 200 OK|X: a<CR>b|| ~ malformed",
                "HTTP/1.1 200 OK|X: a\u0000b|| ~ malformed",
                "HTTP/1.1 200 OK|X: a\u007fb|| ~ malformed",
                "HTTP/1.1 200 OK|X: a|  b|| ~ malformed",
                "HTTP/1.1 200 OK|X : a|| ~ malformed",
                "HTTP/1.1 200 OK| X: a|| ~ malformed",
                "HTTP/1.1 200 OK|: a|| ~ malformed",
                "HTTP/1.1 200 OK|Xa|| ~ malformed",
                "HTTP/1.1 200 OK|X(: a|| ~ malformed",
                "HTTP/1.1 200 OK|a:1|b:2|c:3|d:4|e:5|f:6|| ~ malformed",
                // 6: framing that two parsers could read differently
                "HTTP/1.1 200 OK|Content-Length: 2|Transfer-Encoding: chunked|| ~ malformed",
                "HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 2|| ~ malformed",
                "HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 3|| ~ malformed",
                "HTTP/1.1 200 OK|Content-Length: 2, 2|| ~ malformed",
                "HTTP/1.1 200 OK|Content-Length: +2|| ~ malformed",
                "HTTP/1.1 200 OK|Content-Length: -1|| ~ malformed",
                "HTTP/1.1 200 OK|Content-Length: 0x2|| ~ malformed",
                "HTTP/1.1 200 OK|Content-Length:|| ~ malformed",
                "HTTP/1.1 200 OK|Content-Length: 9999999999999999999|| ~ malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: gzip, chunked|| ~ malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked, chunked|| ~ malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked|Transfer-Encoding: chunked|| ~ malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: identity|| ~ malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: \u000bchunked|| ~ malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding:|| ~ malformed",
                "HTTP/1.0 200 OK|Transfer-Encoding: chunked|| ~ malformed",
                "HTTP/1.1 204 N|Content-Length: 1|| ~ malformed",
                "HTTP/1.1 204 N|Transfer-Encoding: chunked|| ~ malformed",
                "HTTP/1.1 100 C|Content-Length: 1|| ~ malformed",
                "HTTP/1.1 103 C|Transfer-Encoding: chunked|| ~ malformed",
                // 7.1: chunks
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||x| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0x1| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||-1| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked|| 1| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1 | ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1<LF> ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1|ab| ~ 200:a malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1|a<LF> ~ 200:a malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||fffffffffffffffff| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1;a\u0001|a| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1;|a| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1;;a|a| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1;a=|a| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1;a=\"b|a| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1;a=\"\\\u0001\"|a| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1;a=\u00e9|a| ~ 200: malformed",
                // 7.1.2: trailers
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|X|| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|: y|| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|X : y|| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0| X: y|| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|X: a\u0000b|| ~ 200: malformed",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|HTTP/1.1 200 OK|| ~ 200: malformed",
            })
    void answer_thatIsNone_isRefused(String answer, String heard) {
        byte[] bytes = AnswerScript.bytes(answer);
        for (List<Integer> ends : cuts(bytes.length)) {
            assertThat(AnswerScript.heard("GET", bytes, ends).replace(" rest", ""))
                    .as("ends %s", ends)
                    .isEqualTo(heard);
        }
    }

    @Test
    void headBeyondTheLimit_isRefused_beforeItsEnd() {
        assertHeard("GET", "HTTP/1.1 200 OK|X: " + "y".repeat(260) + "|| ", "200 last:");
        String long301 = "HTTP/1.1 200 OK|X: " + "y".repeat(281);

        assertThat(AnswerScript.heard("GET", AnswerScript.bytes(long301), List.of(301)))
                .startsWith("malformed");
    }

    @Test
    void bodyThatEndsWithTheConnection_isComplete_onlyIfThatEndsInOrder() throws Malformed {
        AnswerScript script = new AnswerScript();
        script.reader.expect("GET");
        script.receive(AnswerScript.bytes("HTTP/1.1 200 OK||ok"));
        assertThat(script.reader.endsWithConnection()).isTrue();
        script.reader.ended();

        assertThat(script.heard()).isEqualTo("200 last:ok.");
        assertThat(script.reader.endsWithConnection()).isFalse();
    }

    @Test
    void end_ofTheConnection_completesNoOtherAnswer() throws Malformed {
        AnswerScript script = new AnswerScript();
        script.reader.expect("GET");
        script.receive(AnswerScript.bytes("HTTP/1.1 200 OK|Content-Length: 3||ok"));
        script.reader.ended();

        assertThat(script.heard()).isEqualTo("200:ok");
    }

    @Test
    void answers_followEachOther_eachWithItsRequest() throws Malformed {
        AnswerScript script = new AnswerScript();
        script.reader.expect("HEAD");
        script.receive(AnswerScript.bytes("HTTP/1.1 200 OK|Content-Length: 3||"));
        script.reader.expect("GET");
        script.receive(AnswerScript.bytes("HTTP/1.1 200 OK|Content-Length: 3||abc"));

        assertThat(script.heard()).isEqualTo("200:. 200:abc.");
        assertThat(script.reader.holdsBytes()).isFalse();
    }

    private static void assertHeard(String method, String answer, String heard) {
        byte[] bytes = AnswerScript.bytes(answer);
        for (List<Integer> ends : cuts(bytes.length)) {
            assertThat(AnswerScript.heard(method, bytes, ends))
                    .as("ends %s", ends)
                    .isEqualTo(heard);
        }
    }

    private static List<List<Integer>> cuts(int length) {
        List<List<Integer>> cuts = new ArrayList<>();
        cuts.add(List.of(length));
        cuts.add(IntStream.rangeClosed(1, length).boxed().toList());
        for (int cut = 1; cut < length; cut++) {
            cuts.add(List.of(cut, length));
        }
        return cuts;
    }
}
