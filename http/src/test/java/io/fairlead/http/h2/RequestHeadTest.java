package io.fairlead.http.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.Fields;
import io.fairlead.http.HeadLimits;
import io.fairlead.http.Malformed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Heads of HTTP/2 that break no rule of its own, and still are no request here. A space stands between fields, and
 * {@code _} for one in a value.
 */
class RequestHeadTest {
    private static final HeadLimits LIMITS = new HeadLimits(8 * 1024, 64 * 1024, 200);
    private static final String GET = ":method=GET :scheme=https :path=/a ";
    private static final String POST = ":method=POST :scheme=https :path=/a :authority=h ";

    @ParameterizedTest
    @ValueSource(
            strings = {
                // RFC 9110 section 9.1, RFC 9113 section 8.5
                ":method=CONNECT :scheme=https :path=/a :authority=h",
                ":method=G:T :scheme=https :path=/a :authority=h",
                ":method=G_T :scheme=https :path=/a :authority=h",
                ":method=GET\r :scheme=https :path=/a :authority=h",
                ":method=GET/a_HTTP/1.1 :scheme=https :path=/a :authority=h",
                // 8.3.1: a scheme that is served
                ":method=GET :scheme=htpps :path=/a :authority=h",
                ":method=GET :scheme=HTTPS :path=/a :authority=h",
                ":method=GET :scheme=ftp :path=/a :authority=h",
                ":method=GET :scheme=https_x :path=/a :authority=h",
                ":method=GET :scheme=h\u000ctps :path=/a :authority=h",
                ":method=GET :scheme=https://h/b?x= :path=/a :authority=h",
                // 8.3.1: a path, and what it consists of
                ":method=OPTIONS :scheme=https :path=* :authority=h",
                ":method=GET :scheme=https :path=a :authority=h",
                ":method=GET :scheme=https :path=https://h/a :authority=h",
                ":method=GET :scheme=https :path=/a_HTTP/1.1 :authority=h",
                ":method=GET :scheme=https :path=/a#b :authority=h",
                ":method=GET :scheme=https :path=/a\\b :authority=h",
                ":method=GET :scheme=https :path=/a% :authority=h",
                ":method=GET :scheme=https :path=/a%zz :authority=h",
                ":method=GET :scheme=https :path=/a\u0000 :authority=h",
                ":method=GET :scheme=https :path=/a\r\nX:y :authority=h",
                ":method=GET :scheme=https :path=/\u00e9 :authority=h",
                // 8.3.1, RFC 9110 section 7.2: one host
                GET,
                GET + "host=h host=h",
                GET + ":authority=h host=g",
                GET + ":authority=h host=h host=h",
                GET + ":authority=h host=",
                GET + "host=",
                GET + ":authority=u@h",
                GET + ":authority=h,h",
                GET + ":authority=h/a",
                GET + ":authority=h:x",
                GET + ":authority=h_",
                GET + ":authority=h\u0000",
                // 8.2.1: values
                GET + ":authority=h x=a\u0000b",
                GET + ":authority=h x=a\rb",
                GET + ":authority=h x=a\nb",
                GET + ":authority=h x=a\r\ny:z",
                GET + ":authority=h x=_y",
                GET + ":authority=h x=y_",
                GET + ":authority=h x=\ty",
                GET + ":authority=h x=_",
                GET + ":authority=h cookie=a=b_",
                GET + ":authority=h x=\u0001",
                GET + ":authority=h x=\u007f",
                GET + ":authority=h cookie=a\nb",
                GET + ":authority=h authorization=Bearer_a\r\nimpersonate-user:b",
                // 8.1.1, RFC 9110 section 8.6: lengths
                GET + ":authority=h content-length=1",
                POST + "content-length=1 content-length=1",
                POST + "content-length=1,1",
                POST + "content-length=+1",
                POST + "content-length=-1",
                POST + "content-length=0x1",
                POST + "content-length=",
                POST + "content-length=1000000000000000000",
            })
    void head_thatIsAmbiguousElsewhere_isRefused(String head) {
        assertThat(read(head, false)).isEqualTo("400");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                ":authority=h ~ true ~ GET /a 0 host: h;",
                ":authority=h ~ false ~ GET /a 0 host: h;",
                "host=h ~ true ~ GET /a 0 host: h;",
                ":authority=h host=H ~ true ~ GET /a 0 host: h;",
                ":authority=h content-length=0 ~ true ~ GET /a 0 content-length: 0;host: h;",
                ":authority=h x= x=y ~ true ~ GET /a 0 x: ;x: y;host: h;",
                ":authority=h cookie=a=b x=y cookie=c ~ true ~ GET /a 0 x: y;cookie: a=b; c;host: h;",
                ":authority=[::1]:8 ~ true ~ GET /a 0 host: [::1]:8;",
            })
    void head_isOneRequest(String fields, boolean last, String heard) {
        assertThat(read(GET + fields, last)).isEqualTo(heard);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "x=y ~ false ~ POST /a -1 x: y;host: h;",
                "x=y ~ true ~ POST /a 0 x: y;host: h;",
                "content-length=5 ~ false ~ POST /a 5 content-length: 5;host: h;",
                "content-length=5 ~ true ~ 400",
            })
    void body_isAsLongAsAnnounced(String fields, boolean last, String heard) {
        assertThat(read(POST + fields, last)).isEqualTo(heard);
    }

    /** The status of a refusal; else the method, the target, the length and the fields. */
    private static String read(String fields, boolean last) {
        Fields.Builder received = Fields.builder(8, 256);
        for (String field : fields.strip().split(" ", -1)) {
            int equals = field.indexOf('=');
            received.add(field.substring(0, equals), field.substring(equals + 1).replace('_', ' '));
        }
        try {
            RequestHead head = RequestHead.parse(received.build(), last, LIMITS);
            return head.method() + " " + head.target() + " " + head.contentLength() + " "
                    + head.headers().toString().replace("\n", ";");
        } catch (Malformed malformed) {
            return String.valueOf(malformed.rule().status());
        }
    }
}
