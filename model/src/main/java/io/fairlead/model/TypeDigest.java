package io.fairlead.model;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A digest of a type's meaning, as {@code docs/digests.md} defines it: {@code v1:sha256:} and 64 hexadecimal digits in lower
 * case. Two of them are equal exactly if the canonical forms are.
 *
 * @param text the whole text
 */
public record TypeDigest(String text) {
    private static final String PREFIX = "v1:sha256:";
    private static final Pattern FORM = Pattern.compile(PREFIX + "[0-9a-f]{64}");

    /**
     * Reads a digest.
     *
     * @throws IllegalArgumentException naming the text and what was expected
     */
    public TypeDigest {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "type digest \"" + text + "\" (expected " + PREFIX + " and 64 hexadecimal digits in lower case)");
        }
    }

    /** The digest of a canonical form. */
    public static TypeDigest of(byte[] canonical) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(canonical);
            return new TypeDigest(PREFIX + HexFormat.of().formatHex(hash));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
