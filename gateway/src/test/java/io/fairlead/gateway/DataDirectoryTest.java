package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.storage.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Why a data directory cannot be had is said as it is. */
class DataDirectoryTest {
    private static final StoreOptions LIMITS = Limited.storeByDefault();

    @TempDir
    private Path folder;

    @Test
    @EnabledOnOs(OS.LINUX)
    void whereNoFolderCanBeMade_thatIsSaid_andNothingOfAFullDisk() {
        assertThat(refusal(Path.of("/proc/x/data")))
                .isEqualTo("data directory /proc/x/data cannot be made in /proc (its file system takes no folders)");
    }

    /** The mode of a folder of procfs is nothing that its owner can set. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void ofWhichTheModeCannotBeSet_itIsSaidWhoseItMustBe() {
        assertThat(refusal(Path.of("/proc/1")))
                .isEqualTo("data directory /proc/1 cannot be used (Operation not permitted: it must belong to the user"
                        + " who starts the server, and belongs to root)");
    }

    @Test
    void belowAFile_thatIsSaid() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThat(refusal(file.resolve("data")))
                .startsWith("data directory " + file.resolve("data") + " cannot be made in " + file + " (")
                .doesNotContain("full");
    }

    @Test
    void missingFolders_areMade() throws Exception {
        Path data = folder.resolve("a/b");

        try (DataDirectory made = DataDirectory.open(data, LIMITS)) {
            assertThat(made.isNew()).isTrue();
        }
        assertThat(data).isDirectory();
    }

    private static String refusal(Path data) {
        return String.valueOf(catchThrowableOfType(StartFailure.class, () -> DataDirectory.open(data, LIMITS))
                .getMessage());
    }
}
