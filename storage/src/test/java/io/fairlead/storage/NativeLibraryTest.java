package io.fairlead.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library is unpacked once, and again when what is there is not it. */
final class NativeLibraryTest {
    private static final FileTime LONG_AGO = FileTime.fromMillis(0);

    @TempDir
    Path temporary = Path.of("");

    @Test
    void library_isUnpackedOnceAndMendedIfItIsNotTheSame() throws IOException {
        Path folder = temporary.resolve("native");
        assertThat(NativeLibrary.unpackInto(folder)).isTrue();
        Path library = onlyFile(folder);
        byte[] content = Files.readAllBytes(library);
        assertThat(content.length).isGreaterThan(1_000_000);

        Files.setLastModifiedTime(library, LONG_AGO);
        assertThat(NativeLibrary.unpackInto(folder)).isTrue();
        assertThat(Files.getLastModifiedTime(library)).as("left alone").isEqualTo(LONG_AGO);

        byte[] damaged = content.clone();
        damaged[damaged.length / 2] ^= 1;
        Files.write(library, damaged);
        assertThat(NativeLibrary.unpackInto(folder)).isTrue();
        assertThat(onlyFile(folder)).isEqualTo(library).hasBinaryContent(content);
    }

    private static Path onlyFile(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return all.getFirst();
        }
    }
}
