package io.fairlead.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedStoreTest extends RevisionedStoreContract {
    @TempDir
    Path directory = Path.of("");

    @Override
    protected RevisionedStore newStore() {
        return EmbeddedStore.open(directory, StoreOptions.defaults());
    }

    /** A store of gigabytes has hundreds of tables; RocksDB keeps all of them open unless it is told otherwise. */
    @Test
    void tables_areNotAllKeptOpen() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            Path options = files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readString(options)).contains("  max_open_files=128\n");
        }
    }
}
