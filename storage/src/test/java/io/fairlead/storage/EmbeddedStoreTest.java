package io.fairlead.storage;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedStoreTest extends RevisionedStoreContract {
    @TempDir
    Path directory = Path.of("");

    @Override
    protected RevisionedStore newStore() {
        return EmbeddedStore.open(directory, StoreOptions.defaults());
    }
}
