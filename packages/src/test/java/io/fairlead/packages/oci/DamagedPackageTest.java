package io.fairlead.packages.oci;

import static io.fairlead.packages.oci.TestImage.forPlatform;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.schema.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Packages that are damaged or hostile: each is refused by name, and nothing of it counts. */
class DamagedPackageTest {
    private static final String PROVIDER = PackageReaderTest.PROVIDER;
    private static final int SMALL = 64 * 1024;
    private static final PackageLimits LIMITS = new PackageLimits(SMALL, SMALL, 4 * SMALL, SMALL, 50, 8, 16, 8);

    @TempDir
    private Path folder;

    private final TestImage blobs = new TestImage();

    /** Without this, the other tests could be refused for something that is wrong with all of them. */
    @Test
    void packageInOrder_isReadWithinTheLimits() throws IOException {
        blobs.writeDirectory(folder, blobs.image(blobs.base(provider())));

        assertThat(PackageReader.read(ImageLayout.directory(folder, LIMITS, null), LIMITS)
                        .name())
                .isEqualTo("provider-widgets");
    }

    @Test
    void layerOfAnotherDigest_isRefusedNamingBoth() throws IOException {
        ObjectNode base = blobs.base(provider());
        ObjectNode image = blobs.image(base);
        byte[] other = blobs.content(base).clone();
        other[other.length - 9] ^= 1;
        blobs.replace(base, other);

        refused(image)
                .hasMessageContaining(base.path("digest").stringValue())
                .hasMessageContaining(BlobDigest.of(other).text());
    }

    @Test
    void manifestOfAnotherDigest_isRefusedNamingBoth() throws IOException {
        ObjectNode image = blobs.image(blobs.base(provider()));
        byte[] other = new String(blobs.content(image), UTF_8)
                .replace("schemaVersion\":2", "schemaVersion\":3")
                .getBytes(UTF_8);
        blobs.replace(image, other);

        refused(image)
                .hasMessageContaining(image.path("digest").stringValue())
                .hasMessageContaining(BlobDigest.of(other).text());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void blobOfAnotherSize_isRefusedNamingBoth(int difference) throws IOException {
        ObjectNode base = blobs.base(provider());
        int size = base.path("size").intValue();
        base.put("size", size + difference);

        refused(blobs.image(base))
                .hasMessageContaining(base.path("digest").stringValue())
                .hasMessageContaining("expected " + (size + difference));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../package.yaml", "etc/../../package.yaml", "a/b/.."})
    void pathThatClimbsOut_isRefused(String path) throws IOException {
        refused(blobs.image(blobs.base(provider().file(path, "x"))))
                .hasMessageContaining("entry \"" + path + "\" climbs out");
    }

    @Test
    void absolutePath_isRefused() throws IOException {
        refused(blobs.image(blobs.base(new TestTar().file("/package.yaml", PROVIDER))))
                .hasMessageContaining("entry \"/package.yaml\" is absolute");
    }

    @Test
    void deepPath_isRefused() throws IOException {
        refused(blobs.image(blobs.base(provider().file("a/".repeat(9), "x"))))
                .hasMessageContaining("9 names (expected at most 8)");
    }

    @Test
    void archiveThatUnpacksToMuch_isRefused() throws IOException {
        TestTar bomb = provider().file("zeros", new byte[5 * SMALL]);

        refused(blobs.image(blobs.base(bomb))).hasMessageContaining("more than " + 4 * SMALL + " bytes");
    }

    @Test
    void packageFileThatIsLarge_isRefused() throws IOException {
        refused(blobs.image(blobs.base(new TestTar().file("package.yaml", " ".repeat(SMALL + 1)))))
                .hasMessageContaining("package.yaml: " + (SMALL + 1) + " bytes (expected at most " + SMALL + ")");
    }

    @Test
    void layerThatIsLarge_isRefusedUnread() throws IOException {
        ObjectNode base = blobs.base(provider());
        base.put("size", 1L << 40);

        refused(blobs.image(base)).hasMessageContaining((1L << 40) + " bytes (expected at most " + SMALL + ")");
    }

    @Test
    void manifestThatIsLarge_isRefused() throws IOException {
        ObjectNode image =
                blobs.blob(MediaTypes.OCI_MANIFEST, " ".repeat(SMALL + 1).getBytes(UTF_8));

        refused(image).hasMessageContaining((SMALL + 1) + " bytes (expected at most " + SMALL + ")");
    }

    @Test
    void tooManyEntries_areRefused() throws IOException {
        TestTar tar = provider();
        for (int i = 0; i < 50; i++) {
            tar.directory("d" + i);
        }

        refused(blobs.image(blobs.base(tar))).hasMessageContaining("more than 50 entries");
    }

    @Test
    void tooManyLayers_areRefused() throws IOException {
        ObjectNode[] layers = new ObjectNode[17];
        Arrays.fill(layers, blobs.layer(provider()));

        refused(blobs.image(layers)).hasMessageContaining("layers (expected a list of at most 16)");
    }

    @Test
    void indexWhosePlatformsDisagree_isRefusedNamingBothDigests() throws IOException {
        ObjectNode one = blobs.base(provider());
        ObjectNode other = blobs.base(new TestTar().file("package.yaml", PROVIDER + "\n"));
        ObjectNode index = blobs.index(
                forPlatform(blobs.image(one), "linux", "amd64"), forPlatform(blobs.image(other), "linux", "arm64"));

        refused(index)
                .hasMessageContaining(
                        "base layer of linux/amd64 is " + one.path("digest").stringValue())
                .hasMessageContaining(
                        "that of linux/arm64 is " + other.path("digest").stringValue());
    }

    @Test
    void imagesWithoutAPlatformThatDisagree_areRefusedNamingBothDigests() throws IOException {
        ObjectNode one = blobs.base(provider());
        ObjectNode other = blobs.base(new TestTar().file("package.yaml", PROVIDER + "\n"));

        refused(blobs.index(blobs.image(one), blobs.image(other)))
                .hasMessageContaining(one.path("digest").stringValue())
                .hasMessageContaining(other.path("digest").stringValue());
        refused(forPlatform(blobs.image(one), "linux", "amd64"), blobs.image(other))
                .hasMessageContaining(other.path("digest").stringValue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "3", "\"2\"", "null"})
    void manifestOfAnotherSchemaVersion_isRefused(String version) throws IOException {
        ObjectNode base = blobs.base(provider());
        byte[] image = new String(blobs.content(blobs.image(base)), UTF_8)
                .replace("schemaVersion\":2", "schemaVersion\":" + version)
                .getBytes(UTF_8);
        byte[] index = new String(blobs.content(blobs.index(blobs.image(base))), UTF_8)
                .replace("schemaVersion\":2", "schemaVersion\":" + version)
                .getBytes(UTF_8);

        String expected = "schemaVersion " + version + " (expected 2)";
        refused(blobs.blob(MediaTypes.OCI_MANIFEST, image)).hasMessageContaining(expected);
        refused(blobs.blob(MediaTypes.OCI_INDEX, index)).hasMessageContaining(expected);
    }

    @Test
    void flattenedPlatformsThatDisagree_areRefusedNamingBothDigests() throws IOException {
        ObjectNode one = blobs.image(blobs.layer(provider()));
        ObjectNode other = blobs.image(blobs.layer(new TestTar().file("package.yaml", PROVIDER + "\n")));

        refused(forPlatform(one, "linux", "amd64"), forPlatform(other, "linux", "arm64"))
                .hasMessageContaining(BlobDigest.of(PROVIDER.getBytes(UTF_8)).text())
                .hasMessageContaining(
                        BlobDigest.of((PROVIDER + "\n").getBytes(UTF_8)).text());
    }

    @Test
    void missingLayer_isNamed() throws IOException {
        ObjectNode base = blobs.base(provider());
        ObjectNode image = blobs.image(base);
        blobs.remove(base);

        refused(image).hasMessage("blob " + base.path("digest").stringValue() + " is missing");
    }

    @Test
    void manifestThatIsNoJson_isRefused() throws IOException {
        refused(blobs.blob(MediaTypes.OCI_MANIFEST, "{\"layers\": [".getBytes(UTF_8)))
                .hasMessageContaining("invalid JSON: line 1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"manifests": [oops  | index.json: invalid JSON: line 1, column \\d+ \\(expected a JSON object that is whole\\)
        <html>               | index.json: invalid JSON: line 1, column \\d+ \\(expected a JSON object that is whole\\)
        `{"manifests": [], `  | index.json: invalid JSON: line 1, column \\d+ \\(expected a JSON object that is whole\\)
        {"manifests": 1}     | index.json: manifests \\(expected a list of at most \\d+\\)
        """)
    void brokenIndex_isToldByItsName_withoutAParsersWords(String index, String message) throws IOException {
        blobs.writeDirectory(folder, blobs.image(blobs.base(provider())));
        Files.writeString(folder.resolve("index.json"), index);

        assertThatThrownBy(() -> PackageReader.read(ImageLayout.directory(folder, LIMITS, null), LIMITS))
                .isInstanceOf(UnreadablePackageException.class)
                .hasMessageMatching(message);
    }

    @Test
    void manifestWithAFieldTwice_isRefused() throws IOException {
        refused(blobs.blob(MediaTypes.OCI_MANIFEST, "{\"layers\": [], \"layers\": []}".getBytes(UTF_8)))
                .hasMessageContaining("duplicate field \"layers\"");
    }

    @Test
    void manifestThatIsAnIndexToo_isRefused() throws IOException {
        refused(blobs.blob(MediaTypes.OCI_MANIFEST, "{\"layers\": [], \"manifests\": []}".getBytes(UTF_8)))
                .hasMessageContaining("has both layers and manifests");
    }

    @Test
    void manifestOfAnotherTypeThanAnnounced_isRefused() throws IOException {
        ObjectNode image = blobs.image(blobs.base(provider()));

        refused(image.deepCopy().put("mediaType", MediaTypes.OCI_INDEX))
                .hasMessageContaining("\"" + MediaTypes.OCI_MANIFEST + "\" (expected \"" + MediaTypes.OCI_INDEX);
    }

    @Test
    void archiveThatEndsEarly_isRefused() throws IOException {
        byte[] whole = provider().bytes();
        ObjectNode base = blobs.blob(MediaTypes.OCI_LAYER, Arrays.copyOf(whole, 700));
        base.putObject("annotations").put("io.crossplane.xpkg", "base");

        refused(blobs.image(base)).hasMessageContaining("the archive ends within an entry");
    }

    @Test
    void compressionThatEndsEarly_isRefused() throws IOException {
        byte[] whole = TestTar.gzip(provider().bytes());
        ObjectNode base = blobs.blob(MediaTypes.OCI_LAYER_GZIP, Arrays.copyOf(whole, whole.length - 40));

        refused(blobs.image(base))
                .hasMessageContaining("layer " + base.path("digest").stringValue());
    }

    /** All entries of the archive are there, and the digest is that of the damaged bytes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 20})
    void compressionThatEndsAfterTheArchive_isRefused(int missing) throws IOException {
        byte[] whole = TestTar.gzip(Arrays.copyOf(provider().bytes(), 10 * SMALL / 16));
        ObjectNode base = blobs.blob(MediaTypes.OCI_LAYER_GZIP, Arrays.copyOf(whole, whole.length - missing));

        refused(blobs.image(base))
                .hasMessageStartingWith("layer " + base.path("digest").stringValue() + ": it ends within the gzip ");
    }

    @Test
    void compressionWithAWrongChecksum_isRefused() throws IOException {
        for (int fromEnd : new int[] {1, 8}) {
            byte[] damaged = TestTar.gzip(provider().bytes());
            damaged[damaged.length - fromEnd] ^= 1;

            refused(blobs.image(blobs.blob(MediaTypes.OCI_LAYER_GZIP, damaged)))
                    .hasMessageContaining("damaged gzip data: ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "PK\u0003\u0004", "garbage that is longer than any header of gzip"})
    void bytesAfterTheCompression_areRefused(String garbage) throws IOException {
        ByteArrayOutputStream layer = new ByteArrayOutputStream();
        layer.writeBytes(TestTar.gzip(provider().bytes()));
        layer.writeBytes(garbage.getBytes(UTF_8));

        refused(blobs.image(blobs.blob(MediaTypes.OCI_LAYER_GZIP, layer.toByteArray())))
                .hasMessageMatching("layer sha256:.*: (it ends within the gzip header|something else follows .*)");
    }

    @Test
    void compressionWithAWrongHeader_isRefused() throws IOException {
        byte[] gzip = TestTar.gzip(provider().bytes());
        ByteArrayOutputStream layer = new ByteArrayOutputStream();
        layer.writeBytes(new byte[] {0x1F, (byte) 0x8B, 8, 2, 0, 0, 0, 0, 0, 0, 1, 2});
        layer.write(gzip, 10, gzip.length - 10);

        refused(blobs.image(blobs.blob(MediaTypes.OCI_LAYER_GZIP, layer.toByteArray())))
                .hasMessageContaining("damaged gzip data: the checksum of the header is wrong");
    }

    @Test
    void compressedLayerThatIsEmpty_isRefused() throws IOException {
        ObjectNode empty = blobs.blob(MediaTypes.OCI_LAYER_GZIP, new byte[0]);

        refused(blobs.image(empty))
                .hasMessage("layer " + empty.path("digest").stringValue() + ": it ends within the gzip header");
    }

    /** What follows the archive within the compression counts too. */
    @Test
    void compressionThatUnpacksToMuchAfterTheArchive_isRefused() throws IOException {
        byte[] bomb = TestTar.gzip(Arrays.copyOf(provider().bytes(), 5 * SMALL));

        refused(blobs.image(blobs.blob(MediaTypes.OCI_LAYER_GZIP, bomb)))
                .hasMessageContaining("more than " + 4 * SMALL + " bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/vnd.oci.image.layer.v1.tar+zstd", "", "text/html"})
    void layerOfAnUnknownMediaType_isRefused(String mediaType) throws IOException {
        ObjectNode base = blobs.base(provider());
        base.put("mediaType", mediaType);

        refused(blobs.image(base)).hasMessageContaining("media type \"" + mediaType + "\" (expected a tar archive");
    }

    @Test
    void layerThatIsNoArchive_isRefused() throws IOException {
        refused(blobs.image(
                        blobs.blob(MediaTypes.OCI_LAYER, "<html>".repeat(200).getBytes(UTF_8))))
                .hasMessageContaining("no tar archive");
    }

    @Test
    void noPackageFile_isRefused() throws IOException {
        refused(blobs.image(blobs.base(new TestTar().file("crossplane.yaml", PROVIDER))))
                .hasMessageContaining("no package.yaml at the root");
    }

    @Test
    void packageFileElsewhere_isRefused() throws IOException {
        refused(blobs.image(blobs.base(new TestTar().file("docs/package.yaml", PROVIDER))))
                .hasMessageContaining("it is at docs/package.yaml");
    }

    @Test
    void severalPackageFiles_areRefused() throws IOException {
        refused(blobs.image(blobs.base(provider().file("docs/package.yaml", PROVIDER))))
                .hasMessageContaining("docs/package.yaml, package.yaml");
        refused(blobs.image(blobs.base(provider().file("package.yaml", PROVIDER))))
                .hasMessageContaining("package.yaml is there twice");
    }

    @Test
    void packageFileThatIsALink_isRefused() throws IOException {
        refused(blobs.image(blobs.base(new TestTar().link("package.yaml"))))
                .hasMessageContaining("package.yaml is no file");
    }

    @Test
    void severalBaseLayers_areRefusedNamingBoth() throws IOException {
        ObjectNode one = blobs.base(provider());
        ObjectNode other = blobs.base(provider().directory("x"));

        refused(blobs.image(one, other))
                .hasMessageContaining(one.path("digest").stringValue())
                .hasMessageContaining(other.path("digest").stringValue());
    }

    @Test
    void indexWithoutImages_isRefused() throws IOException {
        refused(blobs.index()).hasMessageContaining("lists no image");
    }

    @Test
    void indexesInIndexes_areRefused() throws IOException {
        ObjectNode index = blobs.index(blobs.index(blobs.index(blobs.index(blobs.image()))));

        refused(index).hasMessageContaining("nest deeper than 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sha256:abc", "sha512:0", "../../etc/passwd", ""})
    void digestOfAnotherForm_isRefused(String digest) throws IOException {
        ObjectNode base = blobs.base(provider());
        base.put("digest", digest);

        refused(blobs.image(base)).hasMessageContaining("digest \"" + digest + "\"");
    }

    @Test
    void packageWithoutMetadata_isRefused() throws IOException {
        refusedFile(PackageReaderTest.DEFINITION).hasMessageContaining("no object of meta.pkg.crossplane.io");
    }

    @Test
    void packageWithMetadataTwice_isRefused() throws IOException {
        refusedFile(PROVIDER + "---\n" + PackageReaderTest.CONFIGURATION)
                .hasMessageContaining("a second object of meta.pkg.crossplane.io");
    }

    @Test
    void typeThatIsDefinedTwice_isRefused() throws IOException {
        refusedFile(PROVIDER + "---\n" + PackageReaderTest.DEFINITION)
                .hasMessageContaining("Widget.example.com is defined twice");
    }

    @Test
    void packageFileThatIsNoYaml_isRefusedNamingTheDocument() throws IOException {
        refusedFile(PROVIDER + "---\na: [\n").hasMessageContaining("document that begins at line 23: invalid YAML");
    }

    @Test
    void definitionThatIsNone_isRefusedByName() throws IOException {
        refusedFile(PROVIDER.replace("group: example.com", "groups: none"))
                .hasMessageContaining("CustomResourceDefinition \"widgets.example.com\"");
    }

    @Test
    void directoryThatIsNoLayout_isRefused() {
        assertThatThrownBy(() -> PackageReader.read(ImageLayout.directory(folder, LIMITS, null), LIMITS))
                .isInstanceOf(UnreadablePackageException.class)
                .hasMessageContaining("no file oci-layout");
    }

    @Test
    void layoutOfAnotherVersion_isRefused() throws IOException {
        blobs.writeDirectory(folder, blobs.image(blobs.base(provider())));
        Files.write(folder.resolve("oci-layout"), Json.write(Json.object().put("imageLayoutVersion", "2.0.0")));

        assertThatThrownBy(() -> PackageReader.read(ImageLayout.directory(folder, LIMITS, null), LIMITS))
                .hasMessageContaining("\"2.0.0\"");
    }

    @Test
    void compressedArchive_isRefused() throws IOException {
        Path archive =
                Files.write(folder.resolve("x.tar.gz"), TestTar.gzip(provider().bytes()));

        assertThatThrownBy(() -> ImageArchive.open(archive, LIMITS, null)).hasMessageContaining("gunzip it first");
    }

    @Test
    void archiveWithAPathThatClimbsOut_isRefused() throws IOException {
        Path archive = Files.write(
                folder.resolve("x.tar"),
                new TestTar().file("../index.json", "{}").bytes());

        assertThatThrownBy(() -> ImageArchive.open(archive, LIMITS, null)).hasMessageContaining("climbs out");
    }

    private static TestTar provider() {
        return new TestTar().file("package.yaml", PROVIDER);
    }

    private AbstractThrowableAssert<?, ?> refusedFile(String text) throws IOException {
        return refused(blobs.image(blobs.base(new TestTar().file("package.yaml", text))));
    }

    private AbstractThrowableAssert<?, ?> refused(ObjectNode... manifests) throws IOException {
        Path directory = blobs.writeDirectory(Files.createTempDirectory(folder, "layout"), manifests);
        return assertThatThrownBy(() -> PackageReader.read(ImageLayout.directory(directory, LIMITS, null), LIMITS))
                .isInstanceOf(UnreadablePackageException.class);
    }
}
