package io.fairlead.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** The key of a user's extra attribute as part of a header's name (client-go {@code transport/round_trippers.go}). */
public final class ExtraKey {
    private static final String LEGAL_SIGNS = "!#$&'*+-.^_`|~";
    private static final int HEX = 16;

    private ExtraKey() {}

    /**
     * Percent-encodes what a header's name cannot contain, the percent sign, and capitals: the receiver lower-cases the
     * name before it decodes it, which would change the key.
     */
    public static String escape(String key) {
        StringBuilder escaped = new StringBuilder(key.length());
        for (byte octet : key.getBytes(UTF_8)) {
            char c = (char) (octet & 0xff);
            if (isLegal(c)) {
                escaped.append(c);
            } else {
                escaped.append(String.format("%%%02X", (int) c));
            }
        }
        return escaped.toString();
    }

    /** Decodes; a key with a bad escape stands for itself (apiserver {@code endpoints/filters/impersonation}). */
    public static String unescape(String escaped) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream(escaped.length());
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            if (c != '%') {
                octets.write(c);
                continue;
            }
            int high = i + 2 < escaped.length() ? Character.digit(escaped.charAt(i + 1), HEX) : -1;
            int low = i + 2 < escaped.length() ? Character.digit(escaped.charAt(i + 2), HEX) : -1;
            if (high < 0 || low < 0) {
                return escaped;
            }
            octets.write(high * HEX + low);
            i += 2;
        }
        return octets.toString(UTF_8);
    }

    private static boolean isLegal(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || LEGAL_SIGNS.indexOf(c) >= 0;
    }
}
