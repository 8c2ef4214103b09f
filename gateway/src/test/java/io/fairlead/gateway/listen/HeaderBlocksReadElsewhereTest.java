package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.Fields;
import io.fairlead.http.Malformed;
import io.fairlead.http.hpack.HpackDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random header blocks (RFC 7541), one behind the other on a connection: each that is decoded says the same to Go. */
@Timeout(value = Fuzzing.MINUTES_MAX, unit = TimeUnit.MINUTES)
class HeaderBlocksReadElsewhereTest {
    private static final int BATCH = 100;
    private static final int BLOCKS_MAX = 6;
    private static final int TABLE_BYTES = 4096;
    private static final int LIST_BYTES = 1 << 20;
    private static final int SIZE_UPDATE = 0x20;
    private static final int SIZE_UPDATE_MASK = 0xe0;
    private static final int SIZE_BITS = 0x1f;
    private static final List<String> NAMES = List.of(":method", ":path", "accept", "cookie", "x-a", "authorization");

    @Test
    void blockThatIsDecoded_isTheSameToGo() throws Exception {
        try (GoReader go = GoReader.start()) {
            Fuzzing fuzzing = new Fuzzing("header blocks, beside Go");
            while (fuzzing.goesOn()) {
                List<byte[]> inputs = new ArrayList<>();
                for (int i = 0; i < BATCH; i++) {
                    inputs.add(blocks(fuzzing));
                }
                List<List<String>> theirs = go.read('h', inputs);
                for (int i = 0; i < inputs.size(); i++) {
                    List<String> ours = decoded(inputs.get(i));
                    if (!ours.isEmpty()) {
                        assertThat(theirs.get(i))
                                .as("%s", HexFormat.of().formatHex(inputs.get(i)))
                                .startsWith(ours.toArray(String[]::new));
                    }
                }
            }
        }
    }

    private static byte[] blocks(Fuzzing fuzzing) throws Http2Exception {
        ByteBuf all = Unpooled.buffer();
        var encoder = new DefaultHttp2HeadersEncoder(
                (_, _) -> fuzzing.random.nextInt(8) == 0, false, 16, fuzzing.random.nextInt(3) * 8);
        for (int block = fuzzing.random.nextInt(BLOCKS_MAX); block >= 0; block--) {
            if (fuzzing.random.nextInt(8) == 0) {
                encoder.maxHeaderTableSize(fuzzing.random.nextInt(TABLE_BYTES));
            }
            ByteBuf one = Unpooled.buffer();
            encoder.encodeHeaders(3, fields(fuzzing), one);
            if (fuzzing.random.nextInt(3) == 0) {
                one = mutated(fuzzing, one);
            }
            all.writeShort(one.readableBytes()).writeBytes(one);
        }
        byte[] bytes = new byte[all.readableBytes()];
        all.readBytes(bytes);
        return bytes;
    }

    private static ByteBuf mutated(Fuzzing fuzzing, ByteBuf block) {
        StringBuilder text = new StringBuilder(block.toString(ISO_8859_1));
        for (int changes = 1 + fuzzing.random.nextInt(2); changes > 0; changes--) {
            int at = fuzzing.random.nextInt(text.length());
            char some = (char) fuzzing.random.nextInt(256);
            switch (fuzzing.random.nextInt(4)) {
                case 0 -> text.setCharAt(at, some);
                case 1 -> text.insert(at, some);
                case 2 -> text.setCharAt(at, (char) (text.charAt(at) ^ 1 << fuzzing.random.nextInt(8)));
                default -> text.setLength(Math.max(1, at));
            }
        }
        return Unpooled.copiedBuffer(text, ISO_8859_1);
    }

    private static Http2Headers fields(Fuzzing fuzzing) {
        Http2Headers fields = new DefaultHttp2Headers(false);
        for (int count = fuzzing.random.nextInt(6); count >= 0; count--) {
            fields.add(fuzzing.oneOf(NAMES), "v".repeat(fuzzing.random.nextInt(4)) + fuzzing.random.nextInt(20));
        }
        return fields;
    }

    private static List<String> decoded(byte[] blocks) {
        HpackDecoder decoder = new HpackDecoder(TABLE_BYTES, LIST_BYTES, 1000);
        List<String> decoded = new ArrayList<>();
        ByteBuf all = Unpooled.wrappedBuffer(blocks);
        try {
            while (all.isReadable()) {
                ByteBuf block = all.readSlice(all.readUnsignedShort());
                if (beginsWithTwoSizeUpdates(block)) {
                    break;
                }
                decoded.add(line(decoder.decode(block).fields()));
            }
        } catch (Malformed refused) {
            // What was decoded before stands.
        }
        return decoded;
    }

    /**
     * Go takes one. "The final maximum size is always signaled, resulting in at most two dynamic table size updates." (RFC
     * 7541 section 4.2)
     */
    private static boolean beginsWithTwoSizeUpdates(ByteBuf block) {
        int at = block.readerIndex();
        int end = block.writerIndex();
        if (at == end || (block.getByte(at) & SIZE_UPDATE_MASK) != SIZE_UPDATE) {
            return false;
        }
        boolean goesOn = (block.getByte(at++) & SIZE_BITS) == SIZE_BITS;
        while (goesOn && at < end) {
            goesOn = block.getByte(at++) < 0;
        }
        return at < end && (block.getByte(at) & SIZE_UPDATE_MASK) == SIZE_UPDATE;
    }

    private static String line(Fields fields) {
        StringBuilder line = new StringBuilder();
        HexFormat hex = HexFormat.of();
        for (int field = 0; field < fields.size(); field++) {
            hex.formatHex(line, fields.name(field).getBytes(ISO_8859_1));
            line.append('=');
            hex.formatHex(line, fields.value(field).getBytes(ISO_8859_1));
            line.append(',');
        }
        return line.toString();
    }
}
