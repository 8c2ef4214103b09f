package io.fairlead.cli.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventLinesTest {
    /** Also at the border of the buffer, and whatever a read returns. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 65_535, 65_536, 65_537, 200_000})
    void lines_areReadWhole(int length) throws IOException {
        String line = "x".repeat(length);

        for (int atOnce : new int[] {1, 1_000, 1 << 20}) {
            assertThat(read(line + "\n" + line + "\r\nend", atOnce))
                    .containsExactly("1: " + line, "2: " + line + "\r", "3: end");
        }
    }

    @Test
    void blankLines_areCountedAndPassedOver() throws IOException {
        assertThat(read("\n\n a\n \t\r\nb\n\n", 3)).containsExactly("3:  a", "5: b");
        assertThat(read("", 3)).isEmpty();
    }

    @Test
    void lineOfTheLimit_isRead_andALongerOneIsRefused() throws IOException {
        String longest = "x".repeat(EventLines.LINE_BYTES_MAX);

        assertThat(read(longest + "\na", 1 << 20)).hasSize(2);
        assertThatThrownBy(() -> read("a\n" + longest + "x\n", 1 << 20))
                .isInstanceOf(IOException.class)
                .hasMessage("line 2: more than 8388608 bytes (expected at most as many)");
    }

    private static List<String> read(String text, int atOnce) throws IOException {
        EventLines lines = new EventLines(new Portions(text.getBytes(UTF_8), atOnce));
        List<String> read = new ArrayList<>();
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            read.add(lines.number() + ": " + new String(line, UTF_8));
        }
        return read;
    }

    /** A stream that returns at most some bytes at once, as a pipe does. */
    private static final class Portions extends InputStream {
        private final ByteArrayInputStream bytes;
        private final int atOnce;

        Portions(byte[] bytes, int atOnce) {
            this.bytes = new ByteArrayInputStream(bytes);
            this.atOnce = atOnce;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] into, int at, int length) {
            return bytes.read(into, at, Math.min(length, atOnce));
        }
    }
}
