package io.fairlead.packages.oci;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The digest of a blob: {@code sha256:} and 64 hexadecimal digits in lower case (OCI image specification,
 * {@code descriptor.md}). Other algorithms are not known.
 *
 * @param text the whole text
 */
public record BlobDigest(String text) {
    private static final String PREFIX = "sha256:";
    private static final Pattern FORM = Pattern.compile(PREFIX + "[0-9a-f]{64}");

    /**
     * Reads a digest.
     *
     * @throws IllegalArgumentException naming the text and what was expected
     */
    public BlobDigest {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "digest \"" + text + "\" (expected " + PREFIX + " and 64 hexadecimal digits in lower case)");
        }
    }

    /** The digest of a content. */
    public static BlobDigest of(byte[] content) {
        MessageDigest algorithm = algorithm();
        algorithm.update(content);
        return of(algorithm);
    }

    /** The digest of what was fed to {@link #algorithm()}. */
    static BlobDigest of(MessageDigest fed) {
        return new BlobDigest(PREFIX + HexFormat.of().formatHex(fed.digest()));
    }

    static MessageDigest algorithm() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The digits alone, which name the blob in an image layout. */
    public String hex() {
        return text.substring(PREFIX.length());
    }

    @Override
    public String toString() {
        return text;
    }
}
