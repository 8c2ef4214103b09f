package io.fairlead.storage;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract with next to nothing in memory, so that followers read the log itself. */
final class EmbeddedStoreLogReadTest extends RevisionedStoreContract {
    @TempDir
    Path directory = Path.of("");

    @Override
    protected RevisionedStore newStore() {
        return EmbeddedStore.open(directory, TestOptions.defaults().withRecentChanges(1, 0));
    }
}
