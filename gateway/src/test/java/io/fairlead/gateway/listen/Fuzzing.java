package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.testkit.Effort;
import java.util.List;
import java.util.Random;

/**
 * A run of random inputs, for some seconds in a build and some minutes in the long form. Its seed, which is the
 * same in every build and another in each run of the long form, is printed, and {@code -Dfuzz.seed} repeats it.
 */
final class Fuzzing {
    private static final long SECONDS = 8;

    /** All runs together take an hour. */
    private static final long SECONDS_IN_LONG_FORM = 600;

    /** What a run may take in its long form, with what begins and ends it. */
    static final int MINUTES_MAX = 12;

    private static final List<String> PIECES = List.of(
            "\r\n",
            "\r",
            "\n",
            "\r\n\r\n",
            " ",
            "\t",
            ":",
            ",",
            ";",
            "=",
            "\"",
            "/",
            "?",
            "#",
            "%",
            "0",
            "1",
            "2",
            "a",
            "f",
            "+",
            "-",
            "_",
            "0x",
            "\0",
            "\u0001",
            "\u000b",
            "\u007f",
            "\u0080",
            "\u0085",
            "\u00a0",
            "\u00e9",
            "chunked",
            "identity",
            "gzip",
            ", chunked",
            "Content-Length: 2\r\n",
            "Content-Length: 3\r\n",
            "content-length:4\r\n",
            "Transfer-Encoding: chunked\r\n",
            "transfer-encoding: gzip, chunked\r\n",
            "Transfer-Encoding:\tidentity\r\n",
            "Host: g\r\n",
            "Host:\r\n",
            "X: y\r\n",
            " z\r\n",
            "Connection: close\r\n",
            "Expect: 100-continue\r\n",
            "Upgrade: x\r\n",
            "0\r\n\r\n",
            "1\r\na\r\n",
            "HTTP/1.0",
            "HTTP/1.1",
            "POST",
            "GET /n HTTP/1.1\r\nHost: h\r\n\r\n",
            "HTTP/1.1 200 OK\r\n",
            "100",
            "204");

    final Random random;
    private final long seed;
    private final long end;

    Fuzzing(String what) {
        boolean isLong = Effort.rounds(1) > 1;
        seed = Long.getLong("fuzz.seed", 7);
        random = new Random(seed);
        end = System.nanoTime() + (isLong ? SECONDS_IN_LONG_FORM : SECONDS) * 1_000_000_000L;
        System.out.println("fuzzing " + what + " with -Dfuzz.seed=" + seed);
    }

    boolean goesOn() {
        return System.nanoTime() < end;
    }

    <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Some of the texts behind each other, with up to a few changes. */
    byte[] mutant(List<String> texts) {
        StringBuilder text = new StringBuilder();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            text.append(oneOf(texts).replace("|", "\r\n"));
        }
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.insert(at, oneOf(PIECES));
                case 1 -> text.deleteCharAt(at);
                case 2 -> text.setCharAt(at, (char) random.nextInt(256));
                case 3 -> text.replace(at, at + 1, oneOf(PIECES));
                default -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(30))));
            }
        }
        return text.toString().getBytes(ISO_8859_1);
    }

    /** What to say of an input that fails. */
    String shown(byte[] input) {
        StringBuilder text = new StringBuilder("seed " + seed + ": ");
        for (byte b : input) {
            text.append(b > ' ' && b < 0x7f ? String.valueOf((char) b) : String.format("<%02x>", b & 0xff));
        }
        return text.toString();
    }
}
