package io.fairlead.gateway.authn;

import java.security.SecureRandom;

/** Tokens of no user. Any thread. */
final class RandomToken {
    /** The characters of base64url (RFC 4648 section 5), of which the parts of a signed token consist. */
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomToken() {}

    /** One that tells nothing of a token but its form: as long, and of as many parts with points between. */
    static String like(String token) {
        byte[] random = new byte[token.length()];
        RANDOM.nextBytes(random);
        StringBuilder text = new StringBuilder(token.length());
        for (int i = 0; i < token.length(); i++) {
            text.append(token.charAt(i) == '.' ? '.' : ALPHABET.charAt(random[i] & (ALPHABET.length() - 1)));
        }
        return text.toString();
    }
}
