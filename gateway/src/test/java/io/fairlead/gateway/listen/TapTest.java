package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What is seen of records that are not complete, wherever the reads end. */
class TapTest {
    private final ByteBudget unparsed = new ByteBudget(Long.MAX_VALUE, System::nanoTime);

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

    private void assertHoldsNothingInTheEnd(Supplier<ChannelHandler> tap, byte[] bytes) {
        long seed = Long.getLong("fuzz.seed", 7);
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
}
