package io.fairlead.http.hpack;

import io.fairlead.http.Malformed;

/*
 * The code is canonical: codes of one length are consecutive in the order of their symbols, and a longer code continues
 * where the shorter ones ended. So the lengths alone define it. It is read four bits at a time; no code is shorter than
 * five, so a step yields at most one symbol. STEPS holds for each inner node of the code's tree and each four bits: the
 * node that is reached, and the symbol that was completed on the way, if any.
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
    private static final int STEP_BITS = 4;
    private static final int STEP_VALUES = 1 << STEP_BITS;

    /** The most bits that may stand behind the last symbol; they must be ones. */
    private static final int PADDING_BITS_MAX = 7;

    private static final int NODE_MASK = 0xff;
    private static final int SYMBOL_SHIFT = 8;
    private static final int COMPLETED = 1 << 16;
    private static final int INVALID = 1 << 17;

    private static final int[] STEPS;
    private static final boolean[] MAY_END;

    static {
        Tree tree = new Tree();
        STEPS = tree.steps();
        MAY_END = tree.mayEnd();
    }

    private Huffman() {}

    /** The most bytes that some bytes of code stand for. */
    static int decodedBytesMax(int length) {
        return length * Byte.SIZE / SHORTEST;
    }

    /** Decodes into an array with room for {@link #decodedBytesMax}; returns the end there. */
    static int decode(byte[] code, int start, int length, byte[] out, int outStart) throws Malformed {
        int node = 0;
        int end = outStart;
        for (int i = start; i < start + length; i++) {
            int step = STEPS[node * STEP_VALUES + ((code[i] & 0xf0) >> STEP_BITS)];
            if ((step & COMPLETED) != 0) {
                out[end++] = (byte) (step >> SYMBOL_SHIFT);
            }
            int second = STEPS[(step & NODE_MASK) * STEP_VALUES + (code[i] & 0x0f)];
            if ((second & COMPLETED) != 0) {
                out[end++] = (byte) (second >> SYMBOL_SHIFT);
            }
            if (((step | second) & INVALID) != 0) {
                throw Malformed.of("Huffman code: expected no end-of-string symbol (RFC 7541 section 5.2)");
            }
            node = second & NODE_MASK;
        }
        if (!MAY_END[node]) {
            throw Malformed.of("Huffman code: expected fewer than 8 bits of padding, all ones (RFC 7541 section 5.2)");
        }
        return end;
    }

    /** The code as a binary tree; a child is an inner node's number, or the complement of a symbol. */
    private static final class Tree {
        private final int[][] children = new int[END][2];
        private int nodes = 1;

        Tree() {
            int code = 0;
            for (int bits = SHORTEST; bits <= LONGEST; bits++) {
                for (int symbol = 0; symbol <= END; symbol++) {
                    if (LENGTHS[symbol] == bits) {
                        add(symbol, code, bits);
                        code++;
                    }
                }
                code <<= 1;
            }
        }

        private void add(int symbol, int code, int bits) {
            int node = 0;
            for (int bit = bits - 1; bit > 0; bit--) {
                int side = (code >> bit) & 1;
                if (children[node][side] == 0) {
                    children[node][side] = nodes++;
                }
                node = children[node][side];
            }
            children[node][code & 1] = ~symbol;
        }

        int[] steps() {
            int[] steps = new int[END * STEP_VALUES];
            for (int node = 0; node < END; node++) {
                for (int value = 0; value < STEP_VALUES; value++) {
                    steps[node * STEP_VALUES + value] = step(node, value);
                }
            }
            return steps;
        }

        private int step(int from, int value) {
            int node = from;
            int completed = 0;
            for (int bit = STEP_BITS - 1; bit >= 0; bit--) {
                node = children[node][(value >> bit) & 1];
                if (node == ~END) {
                    return INVALID;
                }
                if (node < 0) {
                    completed = COMPLETED | (~node << SYMBOL_SHIFT);
                    node = 0;
                }
            }
            return completed | node;
        }

        boolean[] mayEnd() {
            boolean[] may = new boolean[END];
            int node = 0;
            for (int ones = 0; ones <= PADDING_BITS_MAX; ones++) {
                may[node] = true;
                node = children[node][1];
            }
            return may;
        }
    }
}
