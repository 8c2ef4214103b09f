package io.fairlead.cli.types;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.cli.FairleadCommand;
import io.fairlead.packages.oci.BlobDigest;
import io.fairlead.schema.json.Json;
import io.fairlead.testkit.HttpServers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Packages as sources of {@code types} commands. */
class PackageSourceTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void digests_ofAPackageAndOfItsDefinition_areEqual() throws IOException {
        BlobDigest digest = TestPackage.write(folder.resolve("package"), TestPackage.PROVIDER);
        Path file = Files.writeString(folder.resolve("crd.yaml"), Widgets.SIZED);
        HttpServer registry = registry(folder.resolve("package"));
        try {
            JsonNode ofFile = digests("file:" + file);

            assertThat(digests("oci-layout:" + folder.resolve("package"))).isEqualTo(ofFile);
            assertThat(digests("oci-layout:" + folder.resolve("package") + "@" + digest))
                    .isEqualTo(ofFile);
            String host = "127.0.0.1:" + registry.getAddress().getPort();
            assertThat(digests("xpkg:" + host + "/org/package:v1@" + digest)).isEqualTo(ofFile);
        } finally {
            HttpServers.stop(registry);
        }
    }

    @Test
    void diff_ofTwoPackages_namesThePath() throws IOException {
        TestPackage.write(folder.resolve("old"), TestPackage.PROVIDER);
        TestPackage.write(folder.resolve("new"), TestPackage.PROVIDER.replace("1.5e3", "7"));

        int exitCode =
                execute("types", "diff", "oci-layout:" + folder.resolve("old"), "oci-layout:" + folder.resolve("new"));

        assertThat(exitCode).as("%s", err).isEqualTo(2);
        assertThat(out.toString()).contains("Widget.example.com", ".spec.size", "maximum", "Narrower");
    }

    @Test
    void diff_ofDerivedTypes_isUnknown() throws IOException {
        TestPackage.write(folder.resolve("package"), TestPackage.CONFIGURATION);
        String source = "oci-layout:" + folder.resolve("package");

        assertThat(execute("types", "diff", source, source)).as("%s", err).isEqualTo(3);

        assertThat(out.toString()).contains("XDatabase.example.com", "Unknown");
    }

    /** It is not removed: the package brings it, but does not say what it is. */
    @Test
    void diff_ofATypeThatIsDerivedOnOneSide_isUnknown() throws IOException {
        TestPackage.write(folder.resolve("package"), TestPackage.CONFIGURATION);
        Path installed = Files.writeString(
                folder.resolve("crd.yaml"),
                Widgets.SIZED.replace("Widget", "XDatabase").replace("widgets", "xdatabases"));
        String file = "file:" + installed;
        String source = "oci-layout:" + folder.resolve("package");

        assertThat(execute("types", "diff", file, source)).as("%s", err).isEqualTo(3);
        assertThat(execute("types", "diff", source, file)).as("%s", err).isEqualTo(3);

        assertThat(out.toString()).contains("XDatabase.example.com").doesNotContain("Incompatible");
    }

    @Test
    void digest_ofDerivedTypes_isNotSaid() throws IOException {
        TestPackage.write(folder.resolve("package"), TestPackage.CONFIGURATION);

        assertThat(execute("types", "digest", "oci-layout:" + folder.resolve("package")))
                .isEqualTo(3);

        assertThat(err.toString()).contains("XDatabase.example.com");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        oci-layout:/nowhere                     | 4  | oci-layout:/nowhere: there is no such directory
        tarball:/nowhere                        | 4  | tarball:/nowhere: there is no such file
        xpkg:registry.example.com/package:v1    | 64 | expected HOST/PATH@sha256:
        xpkg:package@sha256:0                   | 64 | expected HOST/PATH@sha256:
        tarball:/nowhere@sha256:0               | 64 | sha256:0
        https://registry.example.com/package    | 64 | names no source
        """)
    void sourceThatIsNone_isNamed(String source, int exitCode, String says) {
        assertThat(execute("types", "digest", source)).isEqualTo(exitCode);

        assertThat(err.toString()).contains(says);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void damagedPackage_isExitCode4NamingBothDigests() throws IOException {
        Path package_ = folder.resolve("package");
        BlobDigest digest = TestPackage.write(package_, TestPackage.PROVIDER);
        Path blob = package_.resolve("blobs/sha256").resolve(digest.hex());
        String damaged = Files.readString(blob).replace("base", "BASE");
        Files.writeString(blob, damaged);

        assertThat(execute("types", "digest", "oci-layout:" + package_)).isEqualTo(4);

        assertThat(err.toString())
                .contains(digest.text(), BlobDigest.of(damaged.getBytes(UTF_8)).text());
        assertThat(out.toString()).isEmpty();
    }

    /** Serves the blobs of a layout to anybody. */
    private static HttpServer registry(Path layout) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v2/org/package/", exchange -> {
            try (exchange) {
                String path = exchange.getRequestURI().getPath();
                String hex = new BlobDigest(path.substring(path.lastIndexOf('/') + 1)).hex();
                byte[] content =
                        Files.readAllBytes(layout.resolve("blobs/sha256").resolve(hex));
                exchange.sendResponseHeaders(200, content.length);
                exchange.getResponseBody().write(content);
            }
        });
        server.start();
        return server;
    }

    private JsonNode digests(String source) {
        out.getBuffer().setLength(0);
        assertThat(execute("types", "digest", source, "-o", "json"))
                .as("%s", err)
                .isZero();
        return Json.read(out.toString());
    }

    private int execute(String... arguments) {
        return FairleadCommand.execute(List.of(arguments), new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
