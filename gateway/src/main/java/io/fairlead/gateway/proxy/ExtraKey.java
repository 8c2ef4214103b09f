package io.fairlead.gateway.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The key of a user's extra attribute as part of a header's name (client-go {@code transport/round_trippers.go}). */
final class ExtraKey {
    private static final String LEGAL_SIGNS = "!#$&'*+-.^_`|~";

    private ExtraKey() {}

    /** Percent-encodes what a header's name cannot hold, and the percent sign. */
    static String escape(String key) {
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

    private static boolean isLegal(char c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || LEGAL_SIGNS.indexOf(c) >= 0;
    }
}
