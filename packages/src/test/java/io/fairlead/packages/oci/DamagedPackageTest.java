package io.fairlead.packages.oci;

import static io.fairlead.packages.oci.TestImage.forPlatform;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Packages whose images, manifests and files are not what they should be. */
final class DamagedPackageTest extends DamagedPackageFixture {
    /** Without this, the other tests could be refused for something that is wrong with all of them. */
    @Test
    void packageInOrder_isReadWithinTheLimits() throws IOException {
        blobs.writeDirectory(folder, blobs.image(blobs.base(provider())));

        assertThat(PackageReader.read(ImageLayout.directory(folder, LIMITS, null), LIMITS)
                        .name())
                .isEqualTo("provider-widgets");
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

    @Test
    void manifestThatIsLarge_isRefused() throws IOException {
        ObjectNode image =
                blobs.blob(MediaTypes.OCI_MANIFEST, " ".repeat(SMALL + 1).getBytes(UTF_8));

        refused(image).hasMessageContaining((SMALL + 1) + " bytes (expected at most " + SMALL + ")");
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
                .hasMessageContaining("package.yaml is not a file");
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
}
