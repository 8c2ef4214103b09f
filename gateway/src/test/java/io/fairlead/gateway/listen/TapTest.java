package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What is seen of records and frames that are not complete, wherever the reads end. */
class TapTest {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADERS = 1;
    private static final int CONTINUATION = 9;
    private static final int END_HEADERS = 4;

    private int controlFrames;
    private final UnparsedBytes unparsed = new UnparsedBytes(Long.MAX_VALUE, System::nanoTime);

    @Test
    void records_inAnyPieces_holdNothingOnceTheyAreComplete() {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int length : new int[] {0, 1, 300, 16_401}) {
            records.writeBytes(record(length));
        }
        assertHoldsNothingInTheEnd(() -> new RecordTap(unparsed.part(() -> {})), records.toByteArray());
    }

    @Test
    void recordThatIsNotComplete_holdsWhatCame() {
        EmbeddedChannel channel = new EmbeddedChannel(new RecordTap(unparsed.part(() -> {})));
        write(channel, Arrays.copyOf(record(5_000), 4_000));

        assertThat(unparsed.total()).isEqualTo(4_000);
        channel.finishAndReleaseAll();
    }

    @Test
    void frames_inAnyPieces_holdNothingOnceTheyAreComplete() {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        frames.writeBytes(PREFACE);
        frames.writeBytes(frame(4, 0, 6));
        frames.writeBytes(frame(HEADERS, 0, 2_000));
        frames.writeBytes(frame(CONTINUATION, 0, 300));
        frames.writeBytes(frame(CONTINUATION, END_HEADERS, 0));
        frames.writeBytes(frame(0, 1, 16_384));
        assertHoldsNothingInTheEnd(() -> new FrameTap(unparsed.part(() -> {}), () -> {}), frames.toByteArray());
    }

    @Test
    void headerBlockWithoutItsEnd_holdsAllOfItsFrames() {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameTap(unparsed.part(() -> {}), () -> {}));
        write(channel, PREFACE);
        write(channel, frame(HEADERS, 0, 2_000));
        write(channel, frame(CONTINUATION, 0, 300));
        assertThat(unparsed.total()).isEqualTo(2_300);

        write(channel, frame(CONTINUATION, END_HEADERS, 10));
        assertThat(unparsed.total()).isZero();
        channel.finishAndReleaseAll();
    }

    @Test
    void framesThatBelongToNoRequest_areControlFrames() {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameTap(unparsed.part(() -> {}), () -> controlFrames++));
        write(channel, PREFACE);
        for (int type : new int[] {0, HEADERS, 3}) {
            write(channel, frame(type, END_HEADERS, 4));
        }
        assertThat(controlFrames).isZero();

        for (int type : new int[] {2, 4, 5, 6, 7, 8, 10, 255}) {
            write(channel, frame(type, 1, 4));
        }
        assertThat(controlFrames).isEqualTo(8);
        channel.finishAndReleaseAll();
    }

    @Test
    void windowUpdates_ofAClientThatReads_areNot() {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameTap(unparsed.part(() -> {}), () -> controlFrames++));
        write(channel, PREFACE);
        channel.writeOutbound(Unpooled.wrappedBuffer(new byte[100 * 1024]));
        for (int i = 0; i < 100; i++) {
            write(channel, frame(8, 0, 4));
        }
        assertThat(controlFrames).isZero();

        write(channel, frame(8, 0, 4));
        assertThat(controlFrames).isEqualTo(1);
        channel.finishAndReleaseAll();
    }

    private void assertHoldsNothingInTheEnd(Supplier<ChannelHandler> tap, byte[] bytes) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            EmbeddedChannel channel = new EmbeddedChannel(tap.get());
            int at = 0;
            while (at < bytes.length) {
                int end = Math.min(bytes.length, at + 1 + random.nextInt(3_000));
                write(channel, Arrays.copyOfRange(bytes, at, end));
                at = end;
            }
            assertThat(unparsed.total()).as("seed " + seed).isZero();
            channel.finishAndReleaseAll();
        }
    }

    private static void write(EmbeddedChannel channel, byte[] bytes) {
        channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    }

    private static byte[] record(int length) {
        byte[] record = new byte[5 + length];
        record[0] = 23;
        record[1] = 3;
        record[2] = 3;
        record[3] = (byte) (length >> 8);
        record[4] = (byte) length;
        return record;
    }

    private static byte[] frame(int type, int flags, int length) {
        byte[] frame = new byte[9 + length];
        frame[0] = (byte) (length >> 16);
        frame[1] = (byte) (length >> 8);
        frame[2] = (byte) length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        return frame;
    }
}
