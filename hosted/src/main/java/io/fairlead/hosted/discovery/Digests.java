package io.fairlead.hosted.discovery;

import io.fairlead.hosted.ResourceType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** Hashes in the formats of kube-apiserver. */
public final class Digests {
    private static final int STORAGE_VERSION_BYTES = 8;

    private Digests() {}

    /** SHA-512 in upper-case hexadecimal digits: the entity tag and the {@code hash} parameter of a document. */
    public static String ofContent(byte[] content) {
        return HexFormat.of().withUpperCase().formatHex(digest("SHA-512", content));
    }

    /**
     * The storage version hash, by which clients notice another storage version: base64 of the first eight bytes of
     * SHA-256 over {@code group/version/Kind} (apiserver {@code endpoints/discovery/storageversionhash.go}).
     */
    static String storageVersionHash(ResourceType type) {
        String stored = type.storedAs().group() + "/" + type.storageVersion() + "/" + type.kind();
        byte[] digest = digest("SHA-256", stored.getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, STORAGE_VERSION_BYTES));
    }

    private static byte[] digest(String algorithm, byte[] content) {
        try {
            return MessageDigest.getInstance(algorithm).digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }
}
