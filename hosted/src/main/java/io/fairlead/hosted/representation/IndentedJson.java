package io.fairlead.hosted.representation;

import java.io.ByteArrayOutputStream;

/** Indents compact JSON. */
final class IndentedJson {
    private final byte[] compact;
    private final ByteArrayOutputStream out;
    private int depth;
    private boolean inString;

    private IndentedJson(byte[] compact, int depth) {
        this.compact = compact;
        this.depth = depth;
        this.out = new ByteArrayOutputStream(compact.length * 2);
    }

    /**
     * Indented text.
     *
     * @param depth of the enclosing value, 0 for none; its first line is not indented
     */
    static byte[] of(byte[] compact, int depth) {
        return new IndentedJson(compact, depth).spread();
    }

    private byte[] spread() {
        for (int i = 0; i < compact.length; i++) {
            byte b = compact[i];
            if (inString) {
                out.write(b);
                if (b == '\\') {
                    out.write(compact[++i]);
                } else {
                    inString = b != '"';
                }
            } else {
                structure(b, i);
            }
        }
        return out.toByteArray();
    }

    private void structure(byte b, int at) {
        switch (b) {
            case '{', '[' -> open(b, at);
            case '}', ']' -> close(b, at);
            case ',' -> {
                out.write(b);
                newLine();
            }
            case ':' -> {
                out.write(b);
                out.write(' ');
            }
            default -> {
                out.write(b);
                inString = b == '"';
            }
        }
    }

    private void open(byte b, int at) {
        out.write(b);
        if (!isClosing(compact[at + 1])) {
            depth++;
            newLine();
        }
    }

    private void close(byte b, int at) {
        if (!isOpening(compact[at - 1])) {
            depth--;
            newLine();
        }
        out.write(b);
    }

    private void newLine() {
        out.write('\n');
        for (int i = 0; i < depth; i++) {
            out.write(' ');
            out.write(' ');
        }
    }

    private static boolean isOpening(byte b) {
        return b == '{' || b == '[';
    }

    private static boolean isClosing(byte b) {
        return b == '}' || b == ']';
    }
}
