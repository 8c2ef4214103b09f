package io.fairlead.packages.oci;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a YAML stream before the lines that begin a document: {@code ---} in the first column, followed by white space or
 * nothing. No document can contain such a line (YAML 1.2.2 section 9.1.2).
 */
final class YamlDocuments {
    private final byte[] stream;
    private int at;
    private int line = 1;
    private int nextLine = 1;

    YamlDocuments(byte[] stream) {
        this.stream = stream;
    }

    /** The text of the next document, null after the last one. */
    byte @Nullable [] next() {
        if (at == stream.length) {
            return null;
        }
        int from = at;
        line = nextLine;
        do {
            at = endOfLine(at);
            nextLine++;
        } while (at < stream.length && !beginsDocument(at));
        return Arrays.copyOfRange(stream, from, at);
    }

    /** The line, from 1, at which the document that was given last begins. */
    int line() {
        return line;
    }

    private int endOfLine(int from) {
        int end = from;
        while (end < stream.length && stream[end] != '\n') {
            end++;
        }
        return Math.min(end + 1, stream.length);
    }

    private boolean beginsDocument(int lineStart) {
        if (lineStart + 3 > stream.length) {
            return false;
        }
        boolean isMarker = stream[lineStart] == '-' && stream[lineStart + 1] == '-' && stream[lineStart + 2] == '-';
        return isMarker && (lineStart + 3 == stream.length || Character.isWhitespace(stream[lineStart + 3]));
    }
}
