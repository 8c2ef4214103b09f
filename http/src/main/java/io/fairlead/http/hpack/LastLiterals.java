package io.fairlead.http.hpack;

import io.fairlead.http.Malformed;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The Huffman-coded strings of a peer's last block, by their place in it. A peer that may use no table says most of them
 * again in the next block, and comparing is much cheaper than decoding. One thread.
 */
final class LastLiterals {
    private static final int STRINGS_MAX = 24;
    private static final int CODE_BYTES_MAX = 64;

    private final @Nullable Literal[] literals = new Literal[STRINGS_MAX];
    private int place;

    /** A new block begins. */
    void begin() {
        place = 0;
    }

    /** Reads the next string; null if it is longer than what is kept, or one of too many. */
    @Nullable
    Literal next(byte[] block, int start, int length) throws Malformed {
        if (place == STRINGS_MAX || length > CODE_BYTES_MAX) {
            return null;
        }
        Literal literal = literals[place];
        if (literal == null) {
            literal = new Literal();
            literals[place] = literal;
        }
        place++;
        if (!literal.isOf(block, start, length)) {
            literal.decode(block, start, length);
        }
        return literal;
    }

    /** A string's code and what that says, in arrays that may be larger. */
    static final class Literal {
        private byte[] code = {};
        private byte[] text = {};
        private int codeLength;
        private int textLength;

        byte[] text() {
            return text;
        }

        int textLength() {
            return textLength;
        }

        private boolean isOf(byte[] block, int start, int length) {
            return Arrays.equals(code, 0, codeLength, block, start, start + length);
        }

        private void decode(byte[] block, int start, int length) throws Malformed {
            if (code.length < length) {
                code = new byte[length];
                text = new byte[Huffman.decodedBytesMax(length)];
            }
            codeLength = 0; // Which says nothing, should the code be malformed.
            textLength = 0;
            textLength = Huffman.decode(block, start, length, text, 0);
            System.arraycopy(block, start, code, 0, length);
            codeLength = length;
        }
    }
}
