package io.fairlead.cli.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.packages.oci.BlobDigest;
import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import tools.jackson.databind.node.ObjectNode;

/** Writes packages as image layouts with one layer. */
final class TestPackage {
    static final String PROVIDER = """
        apiVersion: meta.pkg.crossplane.io/v1
        kind: Provider
        metadata: {name: provider-widgets}
        spec: {dependsOn: [{provider: registry.example.com/family, version: ">=v1.2.0"}]}
        ---
        """ + Widgets.SIZED;
    static final String CONFIGURATION = """
        apiVersion: meta.pkg.crossplane.io/v1
        kind: Configuration
        metadata: {name: platform}
        ---
        apiVersion: apiextensions.crossplane.io/v1
        kind: CompositeResourceDefinition
        metadata: {name: xdatabases.example.com}
        spec: {group: example.com, names: {kind: XDatabase, plural: xdatabases}}
        """;
    private static final int BLOCK = 512;

    private TestPackage() {}

    /** Writes a layout and answers the digest of its manifest. */
    static BlobDigest write(Path folder, String packageYaml) throws IOException {
        Files.createDirectories(folder.resolve("blobs/sha256"));
        ObjectNode layer = blob(folder, "application/vnd.oci.image.layer.v1.tar", tar(packageYaml.getBytes(UTF_8)));
        layer.putObject("annotations").put("io.crossplane.xpkg", "base");
        ObjectNode manifest = Json.object().put("mediaType", "application/vnd.oci.image.manifest.v1+json");
        manifest.putArray("layers").add(layer);
        ObjectNode image = blob(folder, "application/vnd.oci.image.manifest.v1+json", Json.write(manifest));
        ObjectNode index = Json.object();
        index.putArray("manifests").add(image);
        Files.write(folder.resolve("index.json"), Json.write(index));
        Files.writeString(folder.resolve("oci-layout"), "{\"imageLayoutVersion\": \"1.0.0\"}");
        return new BlobDigest(image.path("digest").stringValue());
    }

    private static ObjectNode blob(Path folder, String mediaType, byte[] content) throws IOException {
        BlobDigest digest = BlobDigest.of(content);
        Files.write(folder.resolve("blobs/sha256").resolve(digest.hex()), content);
        return Json.object()
                .put("mediaType", mediaType)
                .put("digest", digest.text())
                .put("size", content.length);
    }

    /** An archive with {@code package.yaml} alone. */
    private static byte[] tar(byte[] content) {
        byte[] archive = new byte[BLOCK + (content.length + BLOCK - 1) / BLOCK * BLOCK + 2 * BLOCK];
        put(archive, 0, "package.yaml");
        put(archive, 124, "%011o".formatted(content.length));
        Arrays.fill(archive, 148, 156, (byte) ' ');
        archive[156] = '0';
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += archive[i] & 0xFF;
        }
        put(archive, 148, "%06o\0".formatted(sum));
        System.arraycopy(content, 0, archive, BLOCK, content.length);
        return archive;
    }

    private static void put(byte[] archive, int at, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        System.arraycopy(bytes, 0, archive, at, bytes.length);
    }
}
