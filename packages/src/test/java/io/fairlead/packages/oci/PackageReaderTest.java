package io.fairlead.packages.oci;

import static io.fairlead.packages.oci.TestImage.forPlatform;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.packages.oci.CrossplanePackage.Dependency;
import io.fairlead.packages.oci.CrossplanePackage.Undetermined;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Packages that are in order. */
class PackageReaderTest {
    static final String DEFINITION = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: widgets.example.com}
        spec:
          group: example.com
          names: {plural: widgets, kind: Widget}
          scope: Namespaced
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema: {type: object, properties: {size: {type: integer, maximum: 1.5e3}}}
        """;
    static final String PROVIDER = """
        apiVersion: meta.pkg.crossplane.io/v1
        kind: Provider
        metadata: {name: provider-widgets}
        spec:
          crossplane: {version: ">=v1.14.0-0"}
          dependsOn:
          - {provider: registry.example.com/family, version: ">= v1.2.0"}
          - {apiVersion: pkg.crossplane.io/v1, kind: Function, package: registry.example.com/fn, version: v0.3.0}
        ---
        """ + DEFINITION;
    static final String CONFIGURATION = """
        ---
        # Made by hand.
        apiVersion: meta.pkg.crossplane.io/v1
        kind: Configuration
        metadata: {name: platform}
        ---
        apiVersion: apiextensions.crossplane.io/v1
        kind: CompositeResourceDefinition
        metadata: {name: xdatabases.example.com}
        spec:
          group: example.com
          names: {kind: XDatabase, plural: xdatabases}
          claimNames: {kind: Database, plural: databases}
          versions:
          - name: v1
            served: true
            referenceable: true
            schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}
        ---
        apiVersion: apiextensions.crossplane.io/v1
        kind: Composition
        metadata: {name: databases}
        """;

    @TempDir
    private Path folder;

    private final TestImage blobs = new TestImage();

    @Test
    void baseLayer_isRead_andNoOther() throws IOException {
        ObjectNode other = blobs.layer(new TestTar().file("package.yaml", "no: package"));
        ObjectNode image = blobs.image(other, blobs.base(new TestTar().file("package.yaml", PROVIDER)));

        CrossplanePackage read = read(image);

        assertThat(read.digest().text()).isEqualTo(image.path("digest").stringValue());
        assertThat(read.sort()).isEqualTo("Provider");
        assertThat(read.name()).isEqualTo("provider-widgets");
        assertThat(read.crossplane()).isEqualTo(">=v1.14.0-0");
        assertThat(read.dependencies())
                .containsExactly(
                        new Dependency("Provider.pkg.crossplane.io", "registry.example.com/family", ">= v1.2.0"),
                        new Dependency("Function.pkg.crossplane.io", "registry.example.com/fn", "v0.3.0"));
        assertThat(read.types()).containsExactly(digestsOfTheFile());
        assertThat(read.undetermined()).isEmpty();
    }

    @Test
    void typesOfACompositeDefinition_areUndetermined() throws IOException {
        CrossplanePackage read = read(blobs.image(blobs.base(new TestTar().file("package.yaml", CONFIGURATION))));

        assertThat(read.sort()).isEqualTo("Configuration");
        assertThat(read.types()).isEmpty();
        assertThat(read.undetermined()).extracting(Undetermined::kind).containsExactly("XDatabase", "Database");
        assertThat(read.compositions()).containsExactly("databases");
    }

    @Test
    void imageWithoutABaseLayer_isFlattened() throws IOException {
        CrossplanePackage read = read(blobs.image(
                blobs.layer(new TestTar()
                        .directory("etc/")
                        .file("./package.yaml", "older: one")
                        .file("old/package.yaml", "removed: one")
                        .file("opaque/deep/package.yaml", "removed: one")
                        .file("replaced/package.yaml", "removed: one")),
                blobs.blob(
                        MediaTypes.OCI_LAYER,
                        new TestTar()
                                .file("package.yaml", PROVIDER)
                                .file(".wh.package.yaml", "")
                                .file(".wh.old", "")
                                .file("opaque/.wh..wh..opq", "")
                                .link("replaced")
                                .file("etc/passwd", "root")
                                .bytes())));

        assertThat(read.name()).isEqualTo("provider-widgets");
    }

    @Test
    void indexWhosePlatformsAgree_isRead() throws IOException {
        ObjectNode base = blobs.base(new TestTar().file("package.yaml", PROVIDER));
        ObjectNode amd = blobs.image(base, blobs.layer(new TestTar().file("controller", "amd64")));
        ObjectNode arm = blobs.image(base, blobs.layer(new TestTar().file("controller", "arm64")));
        ObjectNode attestation = forPlatform(blobs.image(), "unknown", "unknown");
        ObjectNode index =
                blobs.index(forPlatform(amd, "linux", "amd64"), forPlatform(arm, "linux", "arm64"), attestation);

        CrossplanePackage read = read(index);

        assertThat(read.name()).isEqualTo("provider-widgets");
        assertThat(read.digest().text()).isEqualTo(index.path("digest").stringValue());
    }

    @Test
    void flattenedImages_agreeIfTheirPackageFilesDo() throws IOException {
        ObjectNode amd = blobs.image(
                blobs.layer(new TestTar().file("package.yaml", PROVIDER).file("controller", "amd64")));
        ObjectNode arm = blobs.image(
                blobs.layer(new TestTar().file("package.yaml", PROVIDER).file("controller", "arm64")));

        CrossplanePackage read = read(forPlatform(amd, "linux", "amd64"), forPlatform(arm, "linux", "arm64"));

        assertThat(read.name()).isEqualTo("provider-widgets");
    }

    /** Crossplane takes the first that is for linux/amd64 or says nothing. */
    @Test
    void imageForNoPlatform_isPassedOverIfItCannotBeThePackage() throws IOException {
        ObjectNode based = blobs.image(blobs.base(new TestTar().file("package.yaml", PROVIDER)));
        ObjectNode flat = blobs.image(blobs.layer(new TestTar().file("package.yaml", PROVIDER)));
        ObjectNode extensions = blobs.image(blobs.layer(new TestTar().file("docs/readme.md", "x")));
        ObjectNode artifact = blobs.image(blobs.blob("application/vnd.in-toto+json", "{}".getBytes(UTF_8)));

        assertThat(read(forPlatform(based, "linux", "amd64"), extensions, artifact)
                        .name())
                .isEqualTo("provider-widgets");
        assertThat(read(forPlatform(flat, "linux", "amd64"), artifact).name()).isEqualTo("provider-widgets");
    }

    @Test
    void imagesForNoPlatformThatAgree_areRead() throws IOException {
        ObjectNode base = blobs.base(new TestTar().file("package.yaml", PROVIDER));
        ObjectNode other = blobs.image(base, blobs.layer(new TestTar().file("controller", "x")));

        assertThat(read(blobs.image(base), other).name()).isEqualTo("provider-widgets");
    }

    @Test
    void layerOfSeveralGzipMembers_isRead() throws IOException {
        byte[] tar = new TestTar().file("package.yaml", PROVIDER).bytes();
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        members.writeBytes(TestTar.gzip(Arrays.copyOf(tar, 100)));
        // A header with all that it can have: extra field, name, comment and checksum.
        byte[] second = TestTar.gzip(Arrays.copyOfRange(tar, 100, tar.length));
        byte[] header = {0x1F, (byte) 0x8B, 8, 0x1E, 0, 0, 0, 0, 0, 0, 2, 0, 1, 2, 'n', 0, 'c', 0};
        CRC32 checksum = new CRC32();
        checksum.update(header);
        members.writeBytes(header);
        members.write((int) checksum.getValue());
        members.write((int) checksum.getValue() >> 8);
        members.write(second, 10, second.length - 10);

        CrossplanePackage read = read(blobs.image(blobs.blob(MediaTypes.OCI_LAYER_GZIP, members.toByteArray())));

        assertThat(read.name()).isEqualTo("provider-widgets");
    }

    @Test
    void oneOfSeveralImages_canBeChosen() throws IOException {
        ObjectNode first = blobs.image(blobs.base(new TestTar().file("package.yaml", PROVIDER)));
        ObjectNode second = blobs.image(blobs.base(new TestTar().file("package.yaml", CONFIGURATION)));
        Path directory = blobs.writeDirectory(folder, first, second);
        BlobDigest chosen = new BlobDigest(second.path("digest").stringValue());

        assertThat(read(ImageLayout.directory(directory, PackageLimits.DEFAULT, chosen))
                        .name())
                .isEqualTo("platform");
    }

    @Test
    void archiveOfALayout_isReadLikeItsDirectory() throws IOException {
        ObjectNode image = blobs.image(blobs.base(new TestTar().file("package.yaml", PROVIDER)));
        Path archive = blobs.writeArchive(folder.resolve("package.tar"), image);

        CrossplanePackage read = read(ImageArchive.open(archive, PackageLimits.DEFAULT, null));

        assertThat(read.digest()).isEqualTo(read(image).digest());
        assertThat(read.types()).containsExactly(digestsOfTheFile());
    }

    @Test
    void archiveAsCrossplaneBuildsIt_isRead() throws IOException {
        byte[] base = new TestTar().file("package.yaml", PROVIDER).bytes();
        byte[] other = new TestTar().file("examples.yaml", "no: package").bytes();

        CrossplanePackage read = read(saved(base, other, null));

        assertThat(read.name()).isEqualTo("provider-widgets");
        assertThat(read.types()).hasSize(1);
    }

    /** The archive that go-containerregistry writes, which is how {@code crossplane xpkg build} writes packages. */
    ImageSource saved(byte[] base, byte[] other, @Nullable String wrongContentDigest) throws IOException {
        byte[] compressed = TestTar.gzip(base);
        ObjectNode config = Json.object();
        config.putObject("config").putObject("Labels").put("io.crossplane.xpkg:" + BlobDigest.of(compressed), "base");
        config.putObject("rootfs")
                .putArray("diff_ids")
                .add(BlobDigest.of(other).text())
                .add(wrongContentDigest == null ? BlobDigest.of(base).text() : wrongContentDigest);
        byte[] configText = Json.write(config);
        String configName = BlobDigest.of(configText).text();
        String baseName = BlobDigest.of(compressed).hex() + ".tar.gz";
        ObjectNode image = Json.object().put("Config", configName);
        image.putArray("Layers").add("other/layer.tar").add(baseName);
        Path archive = Files.write(
                folder.resolve("saved.xpkg"),
                new TestTar()
                        .file(configName, configText)
                        .file("other/layer.tar", other)
                        .file(baseName, compressed)
                        .file("manifest.json", Json.write(Json.array().add(image)))
                        .bytes());
        return ImageArchive.open(archive, PackageLimits.DEFAULT, null);
    }

    @Test
    void longNames_areUnderstoodInBothForms() throws IOException {
        String longName = "a/".repeat(60) + "package.yaml";

        for (TestTar lower : List.of(
                new TestTar().pax("path", longName).file("short", "x: y"),
                new TestTar().gnuLongName(longName).file("short", "x: y"))) {
            CrossplanePackage read = read(blobs.image(
                    blobs.layer(lower),
                    blobs.layer(new TestTar().file(".wh.a", "").file("package.yaml", PROVIDER))));
            assertThat(read.name()).isEqualTo("provider-widgets");
        }
    }

    private CrossplanePackage read(ObjectNode... manifests) throws IOException {
        Path directory = Files.createTempDirectory(folder, "layout");
        return read(ImageLayout.directory(blobs.writeDirectory(directory, manifests), PackageLimits.DEFAULT, null));
    }

    private static CrossplanePackage read(ImageSource source) throws IOException {
        try (source) {
            return PackageReader.read(source, PackageLimits.DEFAULT);
        }
    }

    private static DefinitionDigests digestsOfTheFile() {
        return DefinitionDigests.of(
                Yaml.readAllExact(DEFINITION.getBytes(UTF_8)).getFirst().root());
    }
}
