package io.fairlead.packages.oci;

import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a manifest's blob says (OCI image specification, {@code manifest.md} and {@code image-index.md}). */
sealed interface ImageManifest {
    int SCHEMA_VERSION = 2;

    /** One image. */
    record Image(BlobDigest digest, List<Descriptor> layers) implements ImageManifest {}

    /** Several images, or indexes of them. */
    record Index(BlobDigest digest, List<Descriptor> manifests) implements ImageManifest {}

    /**
     * Reads a manifest that is verified.
     *
     * @throws UnreadablePackageException if it is none, or could be taken for another one than it was promised to be
     */
    static ImageManifest read(Descriptor promised, byte[] content, PackageLimits limits) {
        return read("manifest " + promised.digest(), promised, content, limits);
    }

    /**
     * The same for an image with another name than its digest.
     *
     * @param name its name in messages
     */
    static ImageManifest read(String name, Descriptor promised, byte[] content, PackageLimits limits) {
        JsonNode tree = tree(name, content);
        refuseOtherVersion(name, tree.path("schemaVersion"));
        String mediaType = tree.path("mediaType").asString(promised.mediaType());
        if (!promised.mediaType().isEmpty() && !mediaType.equals(promised.mediaType())) {
            throw new UnreadablePackageException(name + ": media type \"" + mediaType + "\" (expected \""
                    + promised.mediaType() + "\", as which it was announced)");
        }
        boolean isImage = mediaType.isEmpty() ? tree.has("layers") : MediaTypes.MANIFESTS.contains(mediaType);
        boolean isIndex = mediaType.isEmpty() ? tree.has("manifests") : MediaTypes.INDEXES.contains(mediaType);
        if (isImage == isIndex) {
            throw new UnreadablePackageException(
                    name + ": media type \"" + mediaType + "\" (expected an image manifest or an image index)");
        }
        if (tree.has(isImage ? "manifests" : "layers")) {
            throw new UnreadablePackageException(name + " has both layers and manifests (expected one of them)");
        }
        return isImage
                ? new Image(promised.digest(), descriptors(tree, "layers", name, limits.layersMax()))
                : new Index(promised.digest(), descriptors(tree, "manifests", name, limits.manifestsMax()));
    }

    /** A reference without it is accepted too. */
    private static void refuseOtherVersion(String name, JsonNode version) {
        boolean isKnown = version.isIntegralNumber() && version.longValue() == SCHEMA_VERSION;
        if (!isKnown && !version.isMissingNode()) {
            throw new UnreadablePackageException(
                    name + ": schemaVersion " + version + " (expected " + SCHEMA_VERSION + ")");
        }
    }

    private static JsonNode tree(String name, byte[] content) {
        try {
            Document document = Json.readDocument(content);
            if (!document.root().isObject()) {
                throw new UnreadablePackageException(name + ": expected a JSON object");
            }
            if (!document.duplicates().isEmpty()) {
                throw new UnreadablePackageException(
                        name + ": " + document.duplicates().getFirst().message() + " (expected every field once)");
            }
            return document.root();
        } catch (UnreadableDocumentException notJson) {
            // Where it breaks off says enough; the parser names its own tokens.
            String where = notJson.getMessage().replaceFirst("(?s)^(invalid JSON: line \\d+, column \\d+).*", "$1");
            throw new UnreadablePackageException(name + ": " + where + " (expected a JSON object that is whole)");
        }
    }

    private static List<Descriptor> descriptors(JsonNode tree, String field, String name, int countMax) {
        JsonNode listed = tree.path(field);
        if (!listed.isArray() || listed.size() > countMax) {
            throw new UnreadablePackageException(
                    name + ": " + field + " (expected a list of at most " + countMax + ")");
        }
        List<Descriptor> descriptors = new ArrayList<>();
        for (JsonNode descriptor : listed.values()) {
            descriptors.add(Descriptor.read(descriptor, name + ": " + field + "[" + descriptors.size() + "]"));
        }
        return descriptors;
    }
}
