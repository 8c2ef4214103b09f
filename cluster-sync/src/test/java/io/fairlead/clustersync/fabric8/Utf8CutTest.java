package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class Utf8CutTest {
    private static final long SEED = 11;
    private static final String TEXT = "a é € 😀 z ".repeat(50);

    @Test
    void buffersDecodedOneByOne_giveTheText() {
        byte[] bytes = TEXT.getBytes(StandardCharsets.UTF_8);
        Random random = new Random(SEED);
        for (int run = 0; run < 200; run++) {
            Utf8Cut cut = new Utf8Cut();
            List<ByteBuffer> out = new ArrayList<>();
            for (int at = 0; at < bytes.length; ) {
                int end = Math.min(bytes.length, at + 1 + random.nextInt(5));
                cut.add(Arrays.copyOfRange(bytes, at, end), out);
                at = end;
            }
            cut.end(out);

            assertThat(decodedOneByOne(out)).as("seed %s, run %s", SEED, run).isEqualTo(TEXT);
        }
    }

    @Test
    void bytesThatAreNoUtf8_passThrough() {
        Utf8Cut cut = new Utf8Cut();
        List<ByteBuffer> out = new ArrayList<>();

        cut.add(new byte[] {(byte) 0xff, (byte) 0x80, (byte) 0xe2}, out);
        cut.end(out);

        assertThat(out.stream().mapToInt(ByteBuffer::remaining).sum()).isEqualTo(3);
    }

    private static String decodedOneByOne(List<ByteBuffer> buffers) {
        StringBuilder text = new StringBuilder();
        buffers.forEach(buffer -> text.append(StandardCharsets.UTF_8.decode(buffer)));
        return text.toString();
    }
}
