package io.fairlead.http.hpack;

import io.fairlead.http.Malformed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

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

    /** Codes up to this length are found in one step. */
    private static final int SHORT = 9;

    /** The most bits that may stand behind the last symbol; they must be ones. */
    private static final int PADDING_BITS_MAX = 7;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final int SYMBOL_BITS = 9;
    private static final int SYMBOL = (1 << SYMBOL_BITS) - 1;

    /** The symbols, each with its length above it, in the order of their codes. */
    private static final short[] BY_CODE = new short[END + 1];

    /** The same for each beginning of a word of {@link #SHORT} bits; 0 where a longer code begins. */
    private static final short[] BY_SHORT = new short[1 << SHORT];

    /** By length: the first code that is longer, as the beginning of a word of 32 bits. */
    private static final long[] BEYOND = new long[LONGEST + 1];

    /** By length: what is to be added to a code to get its place in {@link #BY_CODE}. */
    private static final int[] PLACE = new int[LONGEST + 1];

    static {
        int code = 0;
        int place = 0;
        for (int length = SHORTEST; length <= LONGEST; length++) {
            PLACE[length] = place - code;
            for (int symbol = 0; symbol <= END; symbol++) {
                if (LENGTHS[symbol] == length) {
                    BY_CODE[place] = (short) (length << SYMBOL_BITS | symbol);
                    if (length <= SHORT) {
                        int first = code << (SHORT - length);
                        Arrays.fill(BY_SHORT, first, first + (1 << (SHORT - length)), BY_CODE[place]);
                    }
                    place++;
                    code++;
                }
            }
            BEYOND[length] = (long) code << (Integer.SIZE - length);
            code <<= 1;
        }
    }

    private Huffman() {}

    /** The most bytes that some bytes of code stand for. */
    static int decodedBytesMax(int length) {
        return length * Byte.SIZE / SHORTEST;
    }

    /** Decodes into an array with room for {@link #decodedBytesMax}; returns the end there. */
    static int decode(byte[] code, int start, int length, byte[] out, int outStart) throws Malformed {
        int at = start;
        int stop = start + length;
        int end = outStart;
        // The next bits of the code, from the highest on, and how many of them are taken from it.
        long bits = 0;
        int taken = 0;
        while (true) {
            if (taken < LONGEST) {
                if (at + Long.BYTES <= stop) {
                    bits |= (long) WORD.get(code, at) >>> taken;
                    int bytes = (Long.SIZE - 1 - taken) / Byte.SIZE;
                    at += bytes;
                    taken += bytes * Byte.SIZE;
                } else {
                    for (; at < stop && taken <= Long.SIZE - Byte.SIZE; taken += Byte.SIZE) {
                        bits |= (code[at++] & 0xffL) << (Long.SIZE - Byte.SIZE - taken);
                    }
                }
            }
            int found = BY_SHORT[(int) (bits >>> (Long.SIZE - SHORT))];
            if (found == 0) {
                found = longer(bits >>> Integer.SIZE);
            }
            int codeBits = found >> SYMBOL_BITS;
            if (codeBits > taken) {
                requirePadding(bits, taken);
                return end;
            }
            if ((found & SYMBOL) == END) {
                throw Malformed.of("Huffman code: expected no end-of-string symbol (RFC 7541 section 5.2)");
            }
            out[end++] = (byte) found;
            bits <<= codeBits;
            taken -= codeBits;
        }
    }

    /** The symbol whose code is the beginning of a word of 32 bits, and is no short one. */
    private static int longer(long word) {
        int length = SHORT + 1;
        while (word >= BEYOND[length]) {
            length++;
        }
        return BY_CODE[(int) (word >>> (Integer.SIZE - length)) + PLACE[length]];
    }

    private static void requirePadding(long bits, int count) throws Malformed {
        boolean isOnes = (bits | -1L >>> count) == -1L;
        if (count > PADDING_BITS_MAX || !isOnes) {
            throw Malformed.of("Huffman code: expected fewer than 8 bits of padding, all ones (RFC 7541 section 5.2)");
        }
    }
}
