package io.fairlead.gateway.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditFileTest {
    private static final Instant NOW = Instant.parse("2026-11-27T21:17:49.123Z");
    private static final EarlierFiles.Kept ALL = new EarlierFiles.Kept(0, 0, false);

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path path;

    private Instant now = NOW;

    @BeforeEach
    void name() {
        path = folder.resolve("logs").resolve("audit.log");
    }

    @Test
    void file_isMadeForItsOwnerAlone_andContinued() throws Exception {
        try (Opened file = open(0, ALL)) {
            file.write("a\n");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path.getParent())))
                .isEqualTo("rwx------");

        try (Opened file = open(0, ALL)) {
            file.write("b\n");
        }

        assertThat(path).hasContent("a\nb\n");
    }

    @Test
    void largeFile_makesPlaceForAnother_withTheTimeInItsName() throws Exception {
        try (Opened file = open(6, ALL)) {
            file.write("a\nb\n");
            file.write("c\n");
            file.write("d\n");
        }

        assertThat(path).hasContent("d\n");
        assertThat(earlier()).containsExactly("audit-2026-11-27T21-17-49.123.log");
        assertThat(path.resolveSibling(earlier().getFirst())).hasContent("a\nb\nc\n");
    }

    @Test
    void lineThatAKilledProcessLeftIncomplete_spoilsNoOther() throws Exception {
        Files.createDirectories(path.getParent());
        Files.writeString(path, "a\nhal");

        try (Opened file = open(0, ALL)) {
            file.write("b\n");
        }

        assertThat(path).hasContent("a\nhal\nb\n");
    }

    @Test
    void fileOfAnEarlierStart_countsWithWhatItHas() throws Exception {
        try (Opened file = open(6, ALL)) {
            file.write("a\nb\n");
        }
        try (Opened file = open(6, ALL)) {
            file.write("c\nd\n");
        }

        assertThat(path).hasContent("c\nd\n");
    }

    @Test
    void earlierFiles_thatAreTooManyOrTooOld_areRemoved_andNoOthers() throws Exception {
        Files.createDirectories(path.getParent());
        for (String name : List.of(
                "audit-2026-11-27T10-00-00.000.log",
                "audit-2026-11-27T09-00-00.000.log.gz",
                "audit-2026-11-27T08-00-00.000.log",
                "audit-2026-11-20T08-00-00.000.log",
                "audit-of-others.log",
                "audit-2026-11-20T08-00-00.000.txt",
                "audit.log")) {
            Files.writeString(path.resolveSibling(name), name);
        }

        new EarlierFiles(path, new EarlierFiles.Kept(0, 1, false), () -> now).tidyNow();
        assertThat(earlier())
                .doesNotContain("audit-2026-11-20T08-00-00.000.log")
                .hasSize(5);
        new EarlierFiles(path, new EarlierFiles.Kept(2, 0, false), () -> now).tidyNow();

        assertThat(earlier())
                .containsExactlyInAnyOrder(
                        "audit-2026-11-27T10-00-00.000.log",
                        "audit-2026-11-27T09-00-00.000.log.gz",
                        "audit-of-others.log",
                        "audit-2026-11-20T08-00-00.000.txt");
    }

    @Test
    void earlierFiles_areCompressed_ifThatIsAskedFor() throws Exception {
        Files.createDirectories(path.getParent());
        Path earlier = Files.writeString(path.resolveSibling("audit-2026-11-27T10-00-00.000.log"), "a\n");
        Files.setPosixFilePermissions(earlier, PosixFilePermissions.fromString("rw-------"));

        new EarlierFiles(path, new EarlierFiles.Kept(0, 0, true), () -> now).tidyNow();

        assertThat(earlier()).containsExactly("audit-2026-11-27T10-00-00.000.log.gz");
        Path compressed = path.resolveSibling(earlier().getFirst());
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(compressed))) {
            assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("a\n");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(compressed)))
                .isEqualTo("rw-------");
    }

    @Test
    void earlierFileThatCannotBeCompressed_keepsNoOtherFromItsEnd() throws Exception {
        Files.createDirectories(path.resolveSibling("audit-2026-11-27T10-00-00.000.log"));
        Files.writeString(path.resolveSibling("audit-2026-11-27T09-00-00.000.log"), "a\n");
        Files.writeString(path.resolveSibling("audit-2026-11-27T08-00-00.000.log"), "b\n");

        new EarlierFiles(path, new EarlierFiles.Kept(2, 0, true), () -> now).tidyNow();

        assertThat(earlier())
                .containsExactlyInAnyOrder("audit-2026-11-27T10-00-00.000.log", "audit-2026-11-27T09-00-00.000.log.gz");
    }

    @Test
    void folderThatIsGone_isMadeAgainWithTheNextFile() throws Exception {
        try (Opened file = open(4, ALL)) {
            file.write("a\nb\n");
            Files.delete(path);
            Files.delete(path.getParent());
            now = NOW.plus(Duration.ofSeconds(1));

            file.write("c\n");
        }

        assertThat(path).hasContent("c\n");
    }

    @Test
    void deviceThatIsFull_saysSo() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full));
        path = full;

        try (Opened file = open(4, ALL)) {
            assertThatThrownBy(() -> file.write("a\n"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left on device");
        }
    }

    private List<String> earlier() throws IOException {
        try (Stream<Path> files = Files.list(path.getParent())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("audit.log"))
                    .toList();
        }
    }

    private Opened open(long bytesMax, EarlierFiles.Kept kept) throws IOException {
        return new Opened(AuditFile.open(path, bytesMax, new EarlierFiles(path, kept, () -> now), () -> now));
    }

    private record Opened(AuditFile file) implements AutoCloseable {
        void write(String lines) throws IOException {
            byte[] bytes = lines.getBytes(UTF_8);
            file.write(bytes, bytes.length);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
