package io.fairlead.http.h2;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads that are malformed in HTTP/2 (RFC 9113 sections 8.1 to 8.3) end their stream, and no other. */
class HostileHeadsTest {
    private static final String VALID = ":method=GET;:scheme=https;:path=/";

    private final Rig rig = Rig.settled();

    @AfterEach
    void closeSession() {
        rig.session().closed();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":scheme=https;:path=/",
                ":method=GET;:path=/",
                ":method=GET;:scheme=https",
                ":method=;:scheme=https;:path=/",
                ":method=GET;:scheme=;:path=/",
                ":method=GET;:scheme=https;:path=",
                ":method=GET;:method=GET;:scheme=https;:path=/",
                ":method=GET;:scheme=https;:scheme=https;:path=/",
                ":method=GET;:scheme=https;:path=/;:path=/",
                VALID + ";:authority=a;:authority=a",
                VALID + ";:status=200",
                VALID + ";:protocol=websocket",
                VALID + ";:=x",
                ":method=GET;:scheme=https;a=b;:path=/",
                "a=b;" + VALID,
                VALID + ";a=b;:authority=x",
                ":METHOD=GET;:scheme=https;:path=/",
                VALID + ";Upper=x",
                VALID + ";hosT=x",
                VALID + ";=x",
                VALID + ";a b=x",
                VALID + ";a:b=x",
                VALID + ";a\tb=x",
                VALID + ";a\u0000=x",
                VALID + ";a\u007f=x",
                VALID + ";a\u00e9=x",
                VALID + ";connection=close",
                VALID + ";connection=",
                VALID + ";keep-alive=1",
                VALID + ";proxy-connection=close",
                VALID + ";transfer-encoding=chunked",
                VALID + ";upgrade=websocket",
                VALID + ";te=gzip",
                VALID + ";te=trailers, gzip",
                VALID + ";te=",
                VALID + ";content-length=1"
            })
    void head_thatIsMalformed_resetsItsStream(String head) {
        byte[] block = Rig.blockOf(head);
        rig.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, 1, block);

        assertThat(rig.events).last().isEqualTo("> RST_STREAM 1 PROTOCOL_ERROR");
        assertThat(rig.events).noneMatch(event -> event.startsWith("< request"));
        rig.request(3, true);
        assertThat(rig.events).last().asString().startsWith("< request");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                VALID,
                VALID + ";te=trailers",
                VALID + ";:authority=a;cookie=a;cookie=b",
                VALID + ";content-length=0",
                VALID + ";x=\u00e9\u0080",
                VALID + ";host=a"
            })
    void head_thatIsValid_isARequest(String head) {
        rig.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, 1, Rig.blockOf(head));

        assertThat(rig.events).containsExactly("< request 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {":path=/", "Upper=x", "connection=close", "te=gzip", "a b=c"})
    void trailers_thatAreMalformed_resetTheirStream(String trailers) {
        rig.request(1, false);
        rig.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, 1, Rig.blockOf(trailers));

        assertThat(rig.events).endsWith("< broken 0", "< closed 0", "> RST_STREAM 1 PROTOCOL_ERROR");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 6})
    void body_ofAnotherLengthThanAnnounced_resetsItsStream(int length) {
        rig.request(1, false, "content-length", "5");
        rig.frame(Frame.DATA, Frame.END_STREAM, 1, new byte[length]);

        assertThat(rig.events).endsWith("< broken 0", "< closed 0", "> RST_STREAM 1 PROTOCOL_ERROR");
    }
}
