package io.fairlead.hosted.cluster;

import io.fairlead.storage.EmbeddedStore;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;

/** The stores that hosted clusters are tested over. */
enum Engine {
    MEMORY {
        @Override
        RevisionedStore open(Path directory) {
            return new MemoryStore();
        }
    },
    EMBEDDED {
        @Override
        RevisionedStore open(Path directory) {
            return EmbeddedStore.open(directory, OPTIONS);
        }
    };

    static final StoreOptions OPTIONS = new StoreOptions(
            64L * 1024 * 1024, Duration.ofSeconds(5), 8192, 16L * 1024 * 1024, 32L * 1024 * 1024, 64L * 1024 * 1024);

    /**
     * A store.
     *
     * @param directory where it may keep files
     */
    abstract RevisionedStore open(Path directory);
}
