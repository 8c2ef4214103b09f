package io.fairlead.packages.oci;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An image's reference to one of its blobs (OCI image specification, {@code descriptor.md}).
 *
 * @param mediaType what the blob is; empty if only the blob itself says so
 * @param digest of its content
 * @param size in bytes; {@link #SIZE_UNKNOWN} if unknown
 * @param annotations free texts by name
 * @param platform the platform of an image of an index, null if the index does not name one
 */
public record Descriptor(
        String mediaType,
        BlobDigest digest,
        long size,
        Map<String, String> annotations,
        @Nullable Platform platform) {
    /** The size of a blob of which only the digest is known. */
    public static final long SIZE_UNKNOWN = -1;

    public Descriptor {
        annotations = Map.copyOf(annotations);
    }

    /** A blob of which nothing but the digest is known. */
    public static Descriptor of(BlobDigest digest) {
        return new Descriptor("", digest, SIZE_UNKNOWN, Map.of(), null);
    }

    /** A blob that is at hand. */
    static Descriptor of(String mediaType, byte[] content) {
        return new Descriptor(mediaType, BlobDigest.of(content), content.length, Map.of(), null);
    }

    /**
     * Reads a descriptor.
     *
     * @param where its path in the manifest, for messages
     */
    static Descriptor read(JsonNode node, String where) {
        JsonNode size = node.path("size");
        if (!size.isIntegralNumber() || size.longValue() < 0) {
            throw new UnreadablePackageException(where + ".size (expected a number of bytes)");
        }
        return new Descriptor(
                node.path("mediaType").asString(""),
                digest(node, where),
                size.longValue(),
                annotations(node.path("annotations")),
                platform(node.path("platform")));
    }

    private static BlobDigest digest(JsonNode node, String where) {
        try {
            return new BlobDigest(node.path("digest").asString(""));
        } catch (IllegalArgumentException malformed) {
            throw new UnreadablePackageException(where + ": " + malformed.getMessage());
        }
    }

    private static Map<String, String> annotations(JsonNode node) {
        Map<String, String> annotations = new LinkedHashMap<>();
        node.properties()
                .forEach(annotation -> annotations.put(
                        annotation.getKey(), annotation.getValue().asString("")));
        return annotations;
    }

    private static @Nullable Platform platform(JsonNode node) {
        return node.isObject()
                ? new Platform(
                        node.path("os").asString(""), node.path("architecture").asString(""))
                : null;
    }

    /** An operating system and a processor. */
    public record Platform(String os, String architecture) {
        private static final String NONE = "unknown";

        /** Whether images can be for it; attestations beside images say that they are for {@code unknown/unknown}. */
        boolean isKnown() {
            return !os.equals(NONE);
        }

        /** What Crossplane takes of an index with several images. */
        boolean isDefault() {
            return os.equals("linux") && architecture.equals("amd64");
        }

        @Override
        public String toString() {
            return os + "/" + architecture;
        }
    }
}
