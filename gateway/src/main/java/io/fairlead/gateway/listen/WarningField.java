package io.fairlead.gateway.listen;

/**
 * The {@code Warning} header of an answer (RFC 9111 section 5.5, apimachinery {@code util/net}'s
 * {@code NewWarningHeader}). kubectl and helm print it for every request.
 */
public final class WarningField {
    public static final String NAME = "Warning";

    private WarningField() {}

    /** Code 299 and a quoted string, without characters that are invalid in a header. */
    public static String value(String text) {
        StringBuilder quoted = new StringBuilder("299 - \"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\');
            }
            quoted.append(c < ' ' || c > '~' ? ' ' : c);
        }
        return quoted.append('"').toString();
    }
}
