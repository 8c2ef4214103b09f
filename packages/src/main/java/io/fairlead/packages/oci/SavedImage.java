package io.fairlead.packages.oci;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An archive as {@code docker save} and {@code crossplane xpkg build} write it: a {@code manifest.json} that names a
 * configuration and layers.
 *
 * <p>It has no manifest of the image, so one is made, which holds the digests of all of them. What says in a registry which
 * layer is the base layer stands in a label of the configuration here ({@code io.crossplane.xpkg:DIGEST}; Crossplane's
 * {@code internal/xpkg/layers.go}). Layers are verified against the configuration's {@code diff_ids}, and against their
 * names where those are digests.
 */
final class SavedImage implements ImageSource {
    static final String MANIFEST = "manifest.json";
    private static final String ANNOTATION = "io.crossplane.xpkg";
    private static final Pattern NAMED_BY_DIGEST =
            Pattern.compile("(?:.*/)?(?:sha256:)?([0-9a-f]{64})(?:\\.tar\\.gz|\\.json)?");

    private final LayoutFiles files;
    private final PackageLimits limits;
    private final Map<BlobDigest, String> paths = new HashMap<>();
    private final byte[] manifest;

    private SavedImage(LayoutFiles files, PackageLimits limits) throws IOException {
        this.files = files;
        this.limits = limits;
        this.manifest = Json.write(made());
    }

    static SavedImage of(LayoutFiles files, PackageLimits limits) throws IOException {
        try {
            return new SavedImage(files, limits);
        } catch (UnreadableDocumentException notJson) {
            throw new UnreadablePackageException(MANIFEST + " or the configuration: " + notJson.getMessage());
        }
    }

    @Override
    public Descriptor root() {
        return Descriptor.of(MediaTypes.OCI_MANIFEST, manifest);
    }

    @Override
    public InputStream manifest(Descriptor wanted) {
        return new ByteArrayInputStream(manifest);
    }

    @Override
    public InputStream blob(Descriptor blob) throws IOException {
        return open(String.valueOf(paths.get(blob.digest())));
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    private ObjectNode made() throws IOException {
        JsonNode images = Json.read(bytes(MANIFEST));
        if (!images.isArray() || images.size() != 1) {
            throw new UnreadablePackageException(MANIFEST + " (expected a list of one image)");
        }
        String configPath = images.path(0).path("Config").asString("");
        byte[] config = bytes(configPath);
        requireName(configPath, BlobDigest.of(config));
        ObjectNode made = Json.object().put("schemaVersion", 2).put("mediaType", MediaTypes.OCI_MANIFEST);
        made.putObject("config")
                .put("mediaType", MediaTypes.OCI_CONFIG)
                .put("digest", BlobDigest.of(config).text())
                .put("size", config.length);
        addLayers(images.path(0).path("Layers"), Json.read(config), made.putArray("layers"));
        return made;
    }

    private void addLayers(JsonNode listed, JsonNode config, ArrayNode into) throws IOException {
        JsonNode contents = config.path("rootfs").path("diff_ids");
        if (!listed.isArray() || listed.size() != contents.size() || listed.size() > limits.layersMax()) {
            throw new UnreadablePackageException(MANIFEST + " lists " + listed.size() + " layers, the configuration "
                    + contents.size() + " (expected as many, and at most " + limits.layersMax() + ")");
        }
        ReadingBudget budget = new ReadingBudget(limits);
        for (int i = 0; i < listed.size(); i++) {
            addLayer(listed.path(i).asString(""), contents.path(i).asString(""), config, budget, into.addObject());
        }
    }

    private void addLayer(String path, String contentDigest, JsonNode config, ReadingBudget budget, ObjectNode into)
            throws IOException {
        boolean isGzip = isGzip(path);
        long size;
        BlobDigest digest;
        try (InputStream stored = open(path)) {
            MessageDigest algorithm = BlobDigest.algorithm();
            size = stored.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), algorithm));
            digest = BlobDigest.of(algorithm);
        }
        requireName(path, digest);
        requireContent(path, isGzip, contentDigest, budget);
        paths.put(digest, path);
        into.put("mediaType", isGzip ? MediaTypes.OCI_LAYER_GZIP : MediaTypes.OCI_LAYER)
                .put("digest", digest.text())
                .put("size", size);
        JsonNode label = config.path("config").path("Labels").path(ANNOTATION + ":" + digest);
        if (label.isString()) {
            into.putObject("annotations").set(ANNOTATION, label);
        }
    }

    private void requireContent(String path, boolean isGzip, String expected, ReadingBudget budget) throws IOException {
        MessageDigest algorithm = BlobDigest.algorithm();
        try (InputStream stored = open(path);
                InputStream content = budget.metered(isGzip ? new GzipMembers(stored) : stored)) {
            content.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), algorithm));
        } catch (ZipException damaged) {
            throw new UnreadablePackageException(path + ": " + damaged.getMessage());
        }
        BlobDigest found = BlobDigest.of(algorithm);
        if (!found.text().equals(expected)) {
            throw new UnreadablePackageException(path + ": the content's digest is " + found + " (expected " + expected
                    + ", as the configuration says)");
        }
    }

    private static void requireName(String path, BlobDigest found) {
        Matcher name = NAMED_BY_DIGEST.matcher(path);
        if (name.matches() && !name.group(1).equals(found.hex())) {
            throw new UnreadablePackageException(path + ": the digest is " + found + " (expected that of its name)");
        }
    }

    private boolean isGzip(String path) throws IOException {
        try (InputStream stored = open(path)) {
            byte[] magic = stored.readNBytes(2);
            return magic.length == 2 && magic[0] == 0x1F && (magic[1] & 0xFF) == 0x8B;
        }
    }

    private InputStream open(String path) throws IOException {
        return files.open(path).orElseThrow(() -> new UnreadablePackageException("\"" + path + "\" is missing"));
    }

    private byte[] bytes(String path) throws IOException {
        return limits.readManifest(open(path), path);
    }
}
