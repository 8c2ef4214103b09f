package io.fairlead.packages.oci;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Blobs and manifests of an image layout, made by hand so that they can be wrong. */
final class TestImage {
    private final Map<String, byte[]> blobs = new LinkedHashMap<>();

    /** Keeps a blob and answers its descriptor. */
    ObjectNode blob(String mediaType, byte[] content) {
        BlobDigest digest = BlobDigest.of(content);
        blobs.put(digest.hex(), content);
        return Json.object()
                .put("mediaType", mediaType)
                .put("digest", digest.text())
                .put("size", content.length);
    }

    ObjectNode layer(TestTar tar) {
        return blob(MediaTypes.OCI_LAYER_GZIP, TestTar.gzip(tar.bytes()));
    }

    ObjectNode base(TestTar tar) {
        ObjectNode layer = layer(tar);
        layer.putObject("annotations").put("io.crossplane.xpkg", "base");
        return layer;
    }

    ObjectNode image(ObjectNode... layers) {
        ObjectNode manifest = Json.object().put("schemaVersion", 2).put("mediaType", MediaTypes.OCI_MANIFEST);
        manifest.set("config", blob(MediaTypes.OCI_CONFIG, "{}".getBytes(UTF_8)));
        ArrayNode listed = manifest.putArray("layers");
        for (ObjectNode layer : layers) {
            listed.add(layer);
        }
        return blob(MediaTypes.OCI_MANIFEST, Json.write(manifest));
    }

    ObjectNode index(ObjectNode... manifests) {
        return blob(MediaTypes.OCI_INDEX, Json.write(indexOf(manifests)));
    }

    static ObjectNode forPlatform(ObjectNode manifest, String os, String architecture) {
        manifest.putObject("platform").put("os", os).put("architecture", architecture);
        return manifest;
    }

    /** Puts another content in the place of a blob. */
    void replace(ObjectNode descriptor, byte[] content) {
        blobs.put(hex(descriptor), content);
    }

    void remove(ObjectNode descriptor) {
        blobs.remove(hex(descriptor));
    }

    byte[] content(ObjectNode descriptor) {
        return blobs.getOrDefault(hex(descriptor), new byte[0]);
    }

    /** The files of a layout whose index lists these. */
    Map<String, byte[]> files(ObjectNode... manifests) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("oci-layout", Json.write(Json.object().put("imageLayoutVersion", "1.0.0")));
        files.put("index.json", Json.write(indexOf(manifests)));
        blobs.forEach((hex, content) -> files.put("blobs/sha256/" + hex, content));
        return files;
    }

    Path writeDirectory(Path directory, ObjectNode... manifests) throws IOException {
        Files.createDirectories(directory.resolve("blobs/sha256"));
        for (Map.Entry<String, byte[]> file : files(manifests).entrySet()) {
            Files.write(directory.resolve(file.getKey()), file.getValue());
        }
        return directory;
    }

    Path writeArchive(Path archive, ObjectNode... manifests) throws IOException {
        TestTar tar = new TestTar().directory("blobs/").directory("blobs/sha256/");
        files(manifests).forEach(tar::file);
        return Files.write(archive, tar.bytes());
    }

    private static ObjectNode indexOf(ObjectNode... manifests) {
        ObjectNode index = Json.object().put("schemaVersion", 2).put("mediaType", MediaTypes.OCI_INDEX);
        ArrayNode listed = index.putArray("manifests");
        for (ObjectNode manifest : manifests) {
            listed.add(manifest);
        }
        return index;
    }

    private static String hex(ObjectNode descriptor) {
        return new BlobDigest(descriptor.path("digest").stringValue()).hex();
    }
}
