package io.fairlead.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketReaderTest {
    private static final int FRAME_BYTES_MAX = 1000;
    private static final String REFUSED = "refused";
    private static final int RUNS = 50_000;

    @Test
    void pings_areHeard_amidMessages_andTheRestIsDropped() {
        byte[] all = joined(
                frame(0x01, "be"),
                frame(0x89, "a"),
                frame(0x80, "gun"),
                frame(0x82, "x".repeat(900)),
                frame(0x8A, "pong"),
                frame(0x89, ""),
                frame(0x88, ""),
                frame(0x89, "too late"));

        for (int cut = 0; cut <= all.length; cut++) {
            assertThat(heard(all, cut)).containsExactly("ping a", "ping ", "close");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8100", // not masked
                "c18000000000", // an extension's
                "838000000000", // no opcode
                "8b8000000000",
                "808000000000", // the rest of no message
                "098000000000", // a Ping in parts
                "89fe007e00000000", // a long Ping
                "81fe000100000000", // a length that is too long for its number
                "81ff000000000000000100000000",
                "81ff800000000000000000000000",
                "81fe03e900000000", // too large
                "81fe03e9", // before the mask has come
                "81ff07f06a24a3825f33",
                "888100000000", // half a code, before it has come
                "8882000000000000", // a code that is none
                "88830000000003e8ff" // not UTF-8
            })
    void whatIsNoFrame_isRefused(String hex) {
        byte[] frame = HexFormat.of().parseHex(hex);

        assertThat(heard(frame, 0)).containsExactly(REFUSED);
        assertThat(heard(frame, 3)).containsExactly(REFUSED);
        assertThat(heardByNetty(frame)).containsExactly(REFUSED);
    }

    /** Netty's decoder is the oracle, over frames that are often valid. */
    @Test
    void framesOfChance_areReadAsNettyReadsThem() {
        long seed = Long.getLong("fuzz.seed", 7);
        Random random = new Random(seed);
        for (int i = 0; i < RUNS; i++) {
            byte[] input = joined(of(random), of(random), of(random));
            List<String> expected = heardByNetty(input);

            assertThat(heard(input, random.nextInt(input.length + 1)))
                    .as("seed %d, run %d: %s", seed, i, ByteBufUtil.hexDump(input))
                    .isEqualTo(expected);
        }
    }

    private static byte[] of(Random random) {
        int[] usual = {0x81, 0x82, 0x89, 0x89, 0x8A, 0x01, 0x80, 0x88};
        int first = random.nextInt(10) == 0 ? random.nextInt(256) : usual[random.nextInt(usual.length)];
        byte[] payload = new byte[random.nextInt(20) == 0 ? random.nextInt(1100) : random.nextInt(6)];
        random.nextBytes(payload);
        if (first == 0x88 && payload.length > 1 && random.nextBoolean()) {
            payload[0] = 3;
            payload[1] = (byte) 0xe8;
        }
        byte[] frame = frame(first, payload, random.nextInt());
        if (random.nextInt(20) == 0) {
            frame[random.nextInt(frame.length)] = (byte) random.nextInt();
        }
        return frame;
    }

    private static byte[] frame(int first, String payload) {
        return frame(first, payload.getBytes(UTF_8), 0x01020304);
    }

    private static byte[] frame(int first, byte[] payload, int mask) {
        ByteBuf frame = Unpooled.buffer().writeByte(first);
        if (payload.length < 126) {
            frame.writeByte(0x80 | payload.length);
        } else {
            frame.writeByte(0x80 | 126).writeShort(payload.length);
        }
        frame.writeInt(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.writeByte(payload[i] ^ (mask >>> (24 - 8 * (i % 4))));
        }
        return ByteBufUtil.getBytes(frame);
    }

    private static byte[] joined(byte[]... frames) {
        return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(frames));
    }

    private static List<String> heard(byte[] input, int cut) {
        List<String> heard = new ArrayList<>();
        WebSocketReader reader = new WebSocketReader(
                new WebSocketReader.Sink() {
                    @Override
                    public void onPing(byte[] payload) {
                        heard.add("ping " + new String(payload, UTF_8));
                    }

                    @Override
                    public void onClose() {
                        heard.add("close");
                    }
                },
                FRAME_BYTES_MAX);
        try {
            reader.receive(TrackedBuffers.ALLOCATOR, TrackedBuffers.of(input, 0, Math.min(cut, input.length)));
            int rest = Math.max(0, input.length - cut);
            reader.receive(TrackedBuffers.ALLOCATOR, TrackedBuffers.of(input, input.length - rest, rest));
        } catch (Malformed malformed) {
            heard.add(REFUSED);
        } finally {
            reader.close();
        }
        return heard;
    }

    /** Netty does not see that the last character is cut off. */
    private static boolean isText(ByteBuf close) {
        try {
            UTF_8.newDecoder()
                    .decode(close.skipBytes(Math.min(2, close.readableBytes())).nioBuffer());
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static List<String> heardByNetty(byte[] input) {
        List<String> heard = new ArrayList<>();
        EmbeddedChannel decoder = new EmbeddedChannel(new WebSocket13FrameDecoder(WebSocketDecoderConfig.newBuilder()
                .maxFramePayloadLength(FRAME_BYTES_MAX)
                .closeOnProtocolViolation(false)
                .build()));
        boolean isRefused = false;
        try {
            decoder.writeInbound(Unpooled.copiedBuffer(input));
        } catch (CodecException e) {
            isRefused = true;
        }
        for (Object frame = decoder.readInbound(); frame != null; frame = decoder.readInbound()) {
            if (frame instanceof PingWebSocketFrame ping) {
                heard.add("ping " + ping.content().toString(UTF_8));
            } else if (frame instanceof CloseWebSocketFrame close) {
                heard.add(isText(close.content()) ? "close" : REFUSED);
            }
            ReferenceCountUtil.release(frame);
        }
        decoder.finishAndReleaseAll();
        if (isRefused) {
            heard.add(REFUSED);
        }
        return heard;
    }
}
