package io.fairlead.hosted.identity;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** By which a token is remembered without being kept. */
final class TokenDigest {
    private TokenDigest() {}

    /** SHA-256 in hexadecimal digits. */
    static String of(byte[] token) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
