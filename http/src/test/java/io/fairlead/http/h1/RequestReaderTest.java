package io.fairlead.http.h1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HeadLimits;
import io.fairlead.http.Malformed;
import io.fairlead.http.Rule;
import io.fairlead.http.TrackedBuffers;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A line end is written as a bar. */
class RequestReaderTest {
    private static final HeadLimits LIMITS = new HeadLimits(20, 100, 3);
    private static final String GET = "GET /a HTTP/1.1|Host: h||";

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "GET /a HTTP/1.1|Host: h|| ~ GET /a 0; ",
                "|GET /a HTTP/1.1|Host: h|| ~ GET /a 0; ",
                "GET /a HTTP/1.0|| ~ GET /a 0 last; ",
                "GET /a HTTP/1.1|Host: h|Connection: x, Close|| ~ GET /a 0 last; ",
                "GET /a HTTP/1.1|Host: h|Connection: Upgrade|Upgrade: x|| ~ GET /a 0 last to x; ",
                "POST /a HTTP/1.1|Host: h|Content-Length: 3||abc ~ POST /a 3; abc",
                "POST /a HTTP/1.1|Host: h|Content-Length: 0|| ~ POST /a 0; ",
                "POST /a HTTP/1.1|Host: h|Expect: 100-continue|Content-Length: 1||a ~ POST /a 1 waits; a",
                "PUT /a HTTP/1.1|Host: h|Transfer-Encoding: chunked||3|abc|1|d|0|| ~ PUT /a -1; abcd",
                "PUT /a HTTP/1.1|Host: h|Transfer-Encoding: chunked||0|x: y|| ~ PUT /a -1; ",
            })
    void request_isReadAlike_howeverItIsCut(String request, String heard) {
        String expected = heard + " GET /a 0;";

        for (int cut = 0; cut <= bytes(request + GET).length; cut++) {
            assertThat(read(request + GET, cut)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "GET /a HTTP/1.1<LF>Host: h|| ~ LINE_END",
                "GET /a|Host: h|| ~ REQUEST_LINE",
                "|| ~ REQUEST_LINE",
                "GET /a HTTP/2.0|Host: h|| ~ VERSION",
                "CONNECT /a HTTP/1.1|Host: h|| ~ METHOD",
                "GET a HTTP/1.1|Host: h|| ~ TARGET",
                "GET /aaaaaaaaaaaaaaaaaaaa HTTP/1.1|Host: h|| ~ TARGET_BYTES",
                "GET /a HTTP/1.1|x: y|| ~ HOST",
                "GET /a HTTP/1.1|Host: h|Host: h|| ~ HOST",
                "GET /a HTTP/1.1|Host: h|x : y|| ~ FIELD",
                "GET /a HTTP/1.1|Host: h|a:|b:|c:|| ~ FIELDS",
                "POST /a HTTP/1.1|Host: h|Content-Length: x|| ~ CONTENT_LENGTH",
                "POST /a HTTP/1.1|Host: h|Content-Length: 1|Content-Length: 1|| ~ CONTENT_LENGTH",
                "POST /a HTTP/1.1|Host: h|Transfer-Encoding: gzip|| ~ TRANSFER_ENCODING",
                "POST /a HTTP/1.0|Host: h|Transfer-Encoding: chunked|| ~ TRANSFER_ENCODING",
                "POST /a HTTP/1.1|Host: h|Transfer-Encoding: chunked|Content-Length: 1|| ~ ONE_FRAMING",
                "GET /a HTTP/1.1|Host: h|Content-Length: 1|| ~ NO_BODY",
                "POST /a HTTP/1.1|Host: h|Expect: x|| ~ EXPECTATION",
                "POST /a HTTP/1.1|Host: h|Transfer-Encoding: chunked||x| ~ CHUNK",
                "POST /a HTTP/1.1|Host: h|Transfer-Encoding: chunked||0|x|| ~ TRAILER",
            })
    void requestThatBreaksARule_isRefusedByIt_howeverItIsCut(String request, Rule rule) {
        for (int cut = 0; cut <= bytes(request).length; cut++) {
            assertThat(read(request, cut)).as("cut at %s", cut).endsWith(rule.toString());
        }
    }

    @Test
    void fieldsThatAreTooLong_areRefusedBeforeTheirEnd() {
        assertThat(read("GET /a HTTP/1.1|Host: h|x: " + "y".repeat(200), 100)).isEqualTo("FIELD_BYTES");
    }

    @Test
    void body_isReadOnlyAsFarAsItIsAskedFor_andWhatFollowsStaysUnread() throws Exception {
        RequestReader reader = new RequestReader(LIMITS);
        reader.receive(TrackedBuffers.ALLOCATOR, buffer("POST /a HTTP/1.1|Host: h|Content-Length: 5||ab"));

        assertThat(reader.head()).isNotNull();
        assertThat(reader.head()).isNull();
        assertThat(reader.isBodyOver()).isFalse();
        assertThat(reader.bodyBytesLeft()).isEqualTo(5);
        assertThat(text(reader.body())).isEqualTo("ab");
        assertThat(reader.bodyBytesLeft()).isEqualTo(3);
        assertThat(reader.forgetRead()).isZero();

        reader.receive(TrackedBuffers.ALLOCATOR, buffer("cde" + GET));
        assertThat(text(reader.body())).isEqualTo("cde");
        assertThat(reader.isBodyOver()).isTrue();
        assertThat(reader.body()).isNull();
        assertThat(reader.unreadBytes()).isEqualTo(bytes(GET).length);
        assertThat(reader.forgetRead()).isGreaterThanOrEqualTo(bytes(GET).length);
        reader.close();
        assertThat(reader.head()).isNull();
    }

    @Test
    void bytesOfAnotherProtocol_areHandedOver() throws Exception {
        RequestReader reader = new RequestReader(LIMITS);
        reader.receive(
                TrackedBuffers.ALLOCATOR, buffer("GET /a HTTP/1.1|Host: h|Connection: upgrade|Upgrade: x||hello"));

        assertThat(reader.head()).extracting(RequestHead::upgrade).isEqualTo("x");
        assertThat(text(reader.takeRest())).isEqualTo("hello");
        assertThat(reader.head()).isNull();
    }

    private static String read(String text, int cut) {
        byte[] bytes = bytes(text);
        StringBuilder heard = new StringBuilder();
        RequestReader reader = new RequestReader(LIMITS);
        try {
            reader.receive(TrackedBuffers.ALLOCATOR, TrackedBuffers.of(bytes, 0, Math.min(cut, bytes.length)));
            readOn(reader, heard);
            int from = Math.min(cut, bytes.length);
            reader.receive(TrackedBuffers.ALLOCATOR, TrackedBuffers.of(bytes, from, bytes.length - from));
            readOn(reader, heard);
        } catch (Malformed malformed) {
            heard.append(malformed.rule());
        } finally {
            reader.close();
        }
        return heard.toString().strip().replace("  ", " ");
    }

    private static void readOn(RequestReader reader, StringBuilder heard) throws Malformed {
        boolean more = true;
        while (more) {
            RequestHead head = reader.isBodyOver() ? reader.head() : null;
            boolean hadBody = !reader.isBodyOver();
            ByteBuf piece = reader.body();
            if (head != null) {
                heard.append(line(head));
            }
            if (piece != null) {
                heard.append(text(piece));
            }
            reader.forgetRead();
            more = head != null || piece != null || (hadBody && reader.isBodyOver());
        }
    }

    private static String line(RequestHead head) {
        return " " + head.method() + " " + head.target() + " " + head.contentLength()
                + (head.keepAlive() ? "" : " last")
                + (head.upgrade().isEmpty() ? "" : " to " + head.upgrade())
                + (head.expectsContinue() ? " waits" : "") + ";" + (head.contentLength() == 0 ? "" : " ");
    }

    private static String text(@Nullable ByteBuf piece) {
        if (piece == null) {
            return "";
        }
        String text = piece.toString(ISO_8859_1);
        piece.release();
        return text;
    }

    private static ByteBuf buffer(String text) {
        return TrackedBuffers.of(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.replace("|", "\r\n").replace("<LF>", "\n").getBytes(ISO_8859_1);
    }
}
