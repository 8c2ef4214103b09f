package io.fairlead.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9112 section 7.1, and what other parsers are known to read in two ways. */
class ChunkedBodyTest {
    @Test
    void body_isReadWhereverItIsCut() throws Malformed {
        String text = "4;name=value\r\nWiki\r\n00a\r\npedia in\r\n\r\n0\r\nTrailer: x\r\n\r\n";
        for (int cut = 0; cut <= text.length(); cut++) {
            ChunkedBody body = new ChunkedBody();
            StringBuilder read = new StringBuilder();
            ByteBuf in = Unpooled.buffer();
            for (String part : new String[] {text.substring(0, cut), text.substring(cut)}) {
                in.writeCharSequence(part, US_ASCII);
                read.append(all(body, in));
            }

            assertThat(body.isDone()).as("cut at %d", cut).isTrue();
            assertThat(read).hasToString("Wikipedia in\r\n");
            assertThat(in.isReadable()).isFalse();
        }
    }

    @Test
    void whatFollows_isLeftForTheNextMessage() throws Malformed {
        ByteBuf in = Unpooled.copiedBuffer("1\r\na\r\n0\r\n\r\nGET / HTTP/1.1\r\n", US_ASCII);
        ChunkedBody body = new ChunkedBody();

        assertThat(all(body, in)).isEqualTo("a");
        assertThat(body.isDone()).isTrue();
        assertThat(in.toString(US_ASCII)).isEqualTo("GET / HTTP/1.1\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                ";a\r\n",
                "0x1\r\n",
                "+1\r\n",
                "-1\r\n",
                " 1\r\n",
                "1 \r\n",
                "1\n",
                "1\r\nab\r\n",
                "1\r\na\n",
                "1;\u0001\r\n",
                "1111111111111111\r\n"
            })
    void whatCouldBeReadInTwoWays_isMalformed(String text) {
        ByteBuf in = Unpooled.copiedBuffer(text, US_ASCII);

        assertThatThrownBy(() -> all(new ChunkedBody(), in))
                .isInstanceOfSatisfying(
                        Malformed.class, it -> assertThat(it.rule()).isIn(Rule.CHUNK, Rule.TRAILER))
                .hasMessageContaining("expected");
    }

    @Test
    void lineWithoutAnEnd_isMalformed() {
        ByteBuf in = Unpooled.copiedBuffer("1;" + "a".repeat(4095), US_ASCII);

        assertThatThrownBy(() -> all(new ChunkedBody(), in)).isInstanceOf(Malformed.class);
    }

    @Test
    void trailersWithoutAnEnd_areTooLarge() {
        ByteBuf in = Unpooled.copiedBuffer("0\r\n" + ("a: " + "b".repeat(1000) + "\r\n").repeat(9), US_ASCII);

        assertThatThrownBy(() -> all(new ChunkedBody(), in))
                .isInstanceOfSatisfying(
                        Malformed.class, it -> assertThat(it.rule()).isEqualTo(Rule.TRAILER_BYTES));
    }

    private static String all(ChunkedBody body, ByteBuf in) throws Malformed {
        StringBuilder read = new StringBuilder();
        for (ByteBuf piece = body.next(in); piece != null; piece = body.next(in)) {
            read.append(piece.toString(US_ASCII));
            piece.release();
        }
        return read.toString();
    }
}
