package io.fairlead.http.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.Malformed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Netty's HPACK reads and writes, against ours, with fixed seeds. */
class HpackDifferentialTest {
    private static final int LIST_BYTES = 1 << 16;
    private static final List<String> NAMES = List.of(
            ":method",
            ":path",
            ":status",
            "accept",
            "authorization",
            "cookie",
            "content-type",
            "x-a",
            "x-bb",
            "server");

    /** Netty takes table size updates anywhere and any number of them, and integers of more octets. */
    private static final String STRICTER = "at its beginning only|at most 2 table size updates|at most 5 octets";

    private final Random random = new Random(14);

    @Test
    void decode_ofWhatNettyWrites_isWhatItWrote() throws Exception {
        for (int connection = 0; connection < 200; connection++) {
            DefaultHttp2HeadersEncoder netty =
                    new DefaultHttp2HeadersEncoder((_, _) -> random.nextInt(8) == 0, false, 16, random.nextInt(3) * 8);
            HpackDecoder ours = new HpackDecoder(4096, LIST_BYTES, 1000);
            for (int block = 0; block < 50; block++) {
                if (random.nextInt(20) == 0) {
                    netty.maxHeaderTableSize(random.nextInt(4096));
                }
                Http2Headers headers = headers();
                ByteBuf out = Unpooled.buffer();
                netty.encodeHeaders(3, headers, out);

                assertThat(ours.decode(out).fields()).hasToString(text(headers));
            }
        }
    }

    @Test
    void encode_isReadByNettyAsWritten() throws Exception {
        for (int connection = 0; connection < 100; connection++) {
            DefaultHttp2HeadersDecoder netty = new DefaultHttp2HeadersDecoder(false, LIST_BYTES);
            netty.maxHeaderTableSize(random.nextInt(4096));
            HpackEncoder ours = new HpackEncoder();
            for (int block = 0; block < 20; block++) {
                Fields.Builder fields = Fields.builder(0, 0);
                Http2Headers headers = headers();
                headers.forEach(field -> fields.add(
                        random.nextBoolean() ? field.getKey().toString() : upper(field),
                        field.getValue().toString()));
                ByteBuf out = Unpooled.buffer();
                ours.begin();
                ours.field(FieldName.PSEUDO_SCHEME, "https");
                ours.fields(fields.build());
                ours.end(out);

                assertThat(text(netty.decodeHeaders(3, out))).isEqualTo(":scheme: https\n" + text(headers));
            }
        }
    }

    /** A connection's blocks up to the first one that is refused, so that tables that a change reached are compared too. */
    @Test
    void decode_ofChangedBlocks_isNettys() throws Exception {
        int accepted = 0;
        int refused = 0;
        for (int connection = 0; connection < 2_000; connection++) {
            DefaultHttp2HeadersEncoder writer =
                    new DefaultHttp2HeadersEncoder((_, _) -> false, false, 16, random.nextInt(2) * 512);
            HpackDecoder ours = new HpackDecoder(4096, LIST_BYTES, 1000);
            DefaultHttp2HeadersDecoder netty = new DefaultHttp2HeadersDecoder(false, LIST_BYTES);
            int before = accepted;
            while (accepted < before + 8 && sameAnswer(ours, netty, changed(writer))) {
                accepted++;
            }
            refused += accepted < before + 8 ? 1 : 0;
        }
        assertThat(accepted).isGreaterThan(4_000);
        assertThat(refused).isGreaterThan(500);
    }

    /** Blocks without a table, each of which says most of the last one again, shifted now and then. */
    @Test
    void decode_ofBlocksThatRepeatLiterals_isWhatNettyWrote() throws Exception {
        for (int connection = 0; connection < 100; connection++) {
            DefaultHttp2HeadersEncoder netty = new DefaultHttp2HeadersEncoder((_, _) -> false, false, 16, 0);
            netty.maxHeaderTableSize(0);
            HpackDecoder ours = new HpackDecoder(0, LIST_BYTES, 1000);
            List<String> values =
                    new ArrayList<>(Stream.generate(this::value).limit(30).toList());
            for (int block = 0; block < 50; block++) {
                values.set(random.nextInt(values.size()), value());
                Collections.rotate(values, Math.max(0, random.nextInt(6) - 4));
                Http2Headers headers = new DefaultHttp2Headers(false);
                for (int field = 0; field < values.size(); field++) {
                    headers.add("x-" + field, values.get(field));
                }
                ByteBuf out = Unpooled.buffer();
                netty.encodeHeaders(3, headers, out);

                assertThat(ours.decode(out).fields()).hasToString(text(headers));
            }
        }
    }

    /** Of a peer without a table too, whose code is remembered. */
    @ParameterizedTest
    @ValueSource(ints = {4096, 0})
    void decode_ofRandomHuffmanCode_isNettys(int tableBytes) {
        HpackDecoder ours = new HpackDecoder(tableBytes, LIST_BYTES, 1000);
        DefaultHttp2HeadersDecoder netty = new DefaultHttp2HeadersDecoder(false, LIST_BYTES);
        int accepted = 0;
        for (int i = 0; i < 10_000; i++) {
            if (sameAnswer(ours, netty, huffmanValue())) {
                accepted++;
            }
        }
        assertThat(accepted).isBetween(1_000, 9_000);
    }

    @Test
    void decode_ofEachSymbolsHuffmanCode_isTheSymbol() throws Exception {
        StringBuilder all = new StringBuilder();
        for (char symbol = 0; symbol < 256; symbol++) {
            all.append(symbol).append((char) (255 - symbol));
        }
        ByteBuf out = Unpooled.buffer();
        new DefaultHttp2HeadersEncoder((_, _) -> false, false, 16, 0)
                .encodeHeaders(3, new DefaultHttp2Headers(false).add("x-all", all), out);

        assertThat(new HpackDecoder(4096, LIST_BYTES, 1000).decode(out).fields().value(0))
                .isEqualTo(all.toString());
    }

    /** Whether both accept a block; both or none do, except for what is named, where ours is stricter. */
    private static boolean sameAnswer(HpackDecoder ours, DefaultHttp2HeadersDecoder netty, byte[] block) {
        String nettys = nettys(netty, block);
        try {
            Fields fields = ours.decode(Unpooled.wrappedBuffer(block)).fields();
            assertThat(pseudoFirst(fields)).isEqualTo(nettys);
            return true;
        } catch (Malformed e) {
            if (nettys != null) {
                assertThat(e).hasMessageFindingMatch(STRICTER);
            }
            return false;
        }
    }

    private static @Nullable String nettys(DefaultHttp2HeadersDecoder netty, byte[] block) {
        try {
            return text(netty.decodeHeaders(3, Unpooled.wrappedBuffer(block)));
        } catch (Http2Exception e) {
            return null;
        }
    }

    /** {@code 0: } and up to 6 bytes of code, half of them ones, of which long codes and the padding are made. */
    private byte[] huffmanValue() {
        int length = 1 + random.nextInt(6);
        byte[] block = new byte[4 + length];
        block[1] = 1;
        block[2] = '0';
        block[3] = (byte) (0x80 | length);
        for (int i = 4; i < block.length; i++) {
            block[i] = (byte) (random.nextBoolean() ? 0xff : random.nextInt(256));
        }
        return block;
    }

    /** Mostly valid: fields as Netty writes them, with a byte changed now and then. */
    private byte[] changed(DefaultHttp2HeadersEncoder writer) throws Http2Exception {
        ByteBuf out = Unpooled.buffer();
        writer.encodeHeaders(3, headers(), out);
        byte[] bytes = ByteBufUtil.getBytes(out);
        for (int changes = Math.max(0, random.nextInt(5) - 2); changes > 0 && bytes.length > 0; changes--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    private Http2Headers headers() {
        Http2Headers headers = new DefaultHttp2Headers(false);
        for (int fields = 1 + random.nextInt(5); fields > 0; fields--) {
            headers.add(NAMES.get(random.nextInt(NAMES.size())), value());
        }
        return headers;
    }

    private String value() {
        StringBuilder value = new StringBuilder();
        int length = random.nextInt(4) == 0 ? random.nextInt(300) : random.nextInt(12);
        for (int i = 0; i < length; i++) {
            value.append((char) (random.nextInt(10) == 0 ? random.nextInt(256) : 'a' + random.nextInt(26)));
        }
        return value.toString();
    }

    /** Netty keeps no order between those with a colon and the others. */
    private static String pseudoFirst(Fields fields) {
        StringBuilder pseudo = new StringBuilder();
        StringBuilder others = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            StringBuilder text = fields.name(i).startsWith(":") ? pseudo : others;
            text.append(fields.name(i)).append(": ").append(fields.value(i)).append('\n');
        }
        return pseudo.append(others).toString();
    }

    private static String upper(Map.Entry<CharSequence, CharSequence> field) {
        return field.getKey().toString().toUpperCase(Locale.ROOT);
    }

    private static String text(Http2Headers headers) {
        StringBuilder text = new StringBuilder();
        headers.forEach(field -> text.append(field.getKey())
                .append(": ")
                .append(field.getValue())
                .append('\n'));
        return text.toString();
    }
}
