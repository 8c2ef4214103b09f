package io.fairlead.packages.oci;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Packages whose layers and archives are damaged or too large. */
final class DamagedLayerTest extends DamagedPackageFixture {
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
    void missingLayer_isNamed() throws IOException {
        ObjectNode base = blobs.base(provider());
        ObjectNode image = blobs.image(base);
        blobs.remove(base);

        refused(image).hasMessage("blob " + base.path("digest").stringValue() + " is missing");
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
}
