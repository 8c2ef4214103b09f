package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFaultTest {
    @TempDir
    private Path folder;

    @Test
    void failure_isToldWithoutTheFileOrAClass() {
        List<IOException> failures = List.of(
                new NoSuchFileException("/etc/a"),
                new AccessDeniedException("/etc/a"),
                new NotDirectoryException("/etc/a"),
                new MalformedInputException(1),
                new FileSystemException("/etc/a", null, "No space left on device"),
                new FileNotFoundException("root/a (b)/audit.log (Permission denied)"),
                new FileNotFoundException("root/audit.log"),
                new IOException("File too large"),
                new IOException());

        assertThat(failures)
                .extracting(FileFault::of)
                .containsExactly(
                        "there is no such file",
                        "permission denied",
                        "not a folder",
                        "not UTF-8 text",
                        "No space left on device",
                        "Permission denied",
                        "there is no such file",
                        "File too large",
                        "input/output error");
    }

    @Test
    void realFailures_areToldSo() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThat(FileFault.ofReading(file)).isEmpty();
        assertThat(FileFault.ofReading(folder)).contains("it is a folder");
        assertThat(FileFault.ofListing(folder)).isEmpty();
        assertThat(FileFault.ofListing(file)).contains("it is not a folder");
        assertThat(FileFault.ofListing(folder.resolve("absent"))).contains("there is no such folder");
    }
}
