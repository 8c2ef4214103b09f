package io.fairlead.http.hpack;

import io.fairlead.http.Malformed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/*
 * The code is canonical: codes of one length are consecutive in the order of their symbols, and a longer code continues
 * where the shorter ones ended. So the lengths alone define it, and a code's length shows by its size when it is read as
 * the beginning of a word. Most symbols have a short code and are found by one look at its first bits.
 */
/** The Huffman code of RFC 7541 appendix B, for reading. */
final class Huffman {
    /** The bits of each symbol's code, by symbol. */
    private static final byte[] LENGTHS = {
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
        28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
        5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
        13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
        6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
        20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
        24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
        22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
        21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
        19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
        20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
        26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
        30
    };

    private static final int SHORTEST = 5;
    private static final int LONGEST = 30;
    private static final int END = 256;

    /** What one look sees. Most symbols of texts have codes of 5 to 7 bits, so that it mostly sees two. */
    private static final int LOOK = 12;

    /** The most bits that may stand behind the last symbol; they must be ones. */
    private static final int PADDING_BITS_MAX = 7;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** The symbols in the order of their codes. */
    private static final short[] BY_CODE = new short[END + 1];

    /** By length: the first code that is longer, as the beginning of a word of 32 bits. */
    private static final long[] BEYOND = new long[LONGEST + 1];

    /** By length: what is to be added to a code to get its place in {@link #BY_CODE}. */
    private static final int[] PLACE = new int[LONGEST + 1];

    /**
     * By the bits of a look: the one or two symbols whose codes are whole there, in the two lowest bytes; above them the bits
     * of their codes, and their number. 0 where a longer code begins.
     */
    private static final int[] SEEN = new int[1 << LOOK];

    private static final int SECOND = Byte.SIZE;
    private static final int BITS = 2 * Byte.SIZE;
    private static final int NUMBER = 3 * Byte.SIZE;

    static {
        int code = 0;
        int place = 0;
        for (int length = SHORTEST; length <= LONGEST; length++) {
            PLACE[length] = place - code;
            for (int symbol = 0; symbol <= END; symbol++) {
                if (LENGTHS[symbol] == length) {
                    BY_CODE[place++] = (short) symbol;
                    code++;
                }
            }
            BEYOND[length] = (long) code << (Integer.SIZE - length);
            code <<= 1;
        }
        for (int look = 0; look < SEEN.length; look++) {
            SEEN[look] = seen(look);
        }
    }

    private Huffman() {}

    private static int seen(int look) {
        long word = (long) look << (Integer.SIZE - LOOK);
        int first = symbol(word);
        int bits = LENGTHS[first];
        if (bits > LOOK) {
            return 0;
        }
        int second = symbol(word << bits & 0xffffffffL);
        int both = bits + LENGTHS[second];
        return both > LOOK ? 1 << NUMBER | bits << BITS | first : 2 << NUMBER | both << BITS | second << SECOND | first;
    }

    /** The symbol whose code is the beginning of a word of 32 bits. */
    private static int symbol(long word) {
        int length = SHORTEST;
        while (word >= BEYOND[length]) {
            length++;
        }
        return BY_CODE[(int) (word >>> (Integer.SIZE - length)) + PLACE[length]];
    }

    /** The most bytes that are written for some bytes of code. */
    static int decodedBytesMax(int length) {
        return length * Byte.SIZE / SHORTEST + 1;
    }

    /** Decodes into an array with room for {@link #decodedBytesMax}; returns the end there. */
    static int decode(byte[] code, int start, int length, byte[] out, int outStart) throws Malformed {
        int at = start;
        int stop = start + length;
        int end = outStart;
        // The next bits of the code, from the highest on, and how many of them have come from it.
        long bits = 0;
        int held = 0;
        while (true) {
            if (held < LONGEST && at < stop) {
                // With bits of what stands behind the code, which no symbol is taken from: they are not held.
                bits |= word(code, at) >>> held;
                int bytes = Math.min((Long.SIZE - 1 - held) / Byte.SIZE, stop - at);
                at += bytes;
                held += bytes * Byte.SIZE;
            }
            int seen = SEEN[(int) (bits >>> (Long.SIZE - LOOK))];
            if (seen == 0) {
                seen = longer(bits >>> Integer.SIZE, held);
            }
            int codeBits = seen >> BITS & 0xff;
            if (codeBits > held) {
                return last(seen, bits, held, out, end);
            }
            out[end] = (byte) seen;
            out[end + 1] = (byte) (seen >> SECOND);
            end += seen >> NUMBER;
            bits <<= codeBits;
            held -= codeBits;
        }
    }

    /** The next eight bytes, with zeros in place of those behind the array's end. */
    private static long word(byte[] code, int at) {
        if (at + Long.BYTES <= code.length) {
            return (long) WORD.get(code, at);
        }
        long word = 0;
        for (int i = at; i < code.length; i++) {
            word |= (code[i] & 0xffL) << (Long.SIZE - Byte.SIZE - (i - at) * Byte.SIZE);
        }
        return word;
    }

    private static int longer(long word, int held) throws Malformed {
        int symbol = symbol(word);
        if (symbol == END && held >= LONGEST) {
            throw Malformed.of("Huffman code: expected no end-of-string symbol (RFC 7541 section 5.2)");
        }
        return 1 << NUMBER | LENGTHS[symbol] << BITS | (symbol & 0xff);
    }

    /** The end of a code, which holds at most the first of the symbols that were seen. */
    private static int last(int seen, long bits, int held, byte[] out, int end) throws Malformed {
        int first = seen & 0xff;
        int codeBits = LENGTHS[first];
        if (seen >> NUMBER == 1 || codeBits > held) {
            requirePadding(bits, held);
            return end;
        }
        requirePadding(bits << codeBits, held - codeBits);
        out[end] = (byte) first;
        return end + 1;
    }

    private static void requirePadding(long bits, int count) throws Malformed {
        boolean isOnes = (bits | -1L >>> count) == -1L;
        if (count > PADDING_BITS_MAX || !isOnes) {
            throw Malformed.of("Huffman code: expected fewer than 8 bits of padding, all ones (RFC 7541 section 5.2)");
        }
    }
}
