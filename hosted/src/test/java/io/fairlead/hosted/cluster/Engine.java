package io.fairlead.hosted.cluster;

import io.fairlead.storage.EmbeddedStore;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.StoreOptions;
import java.nio.file.Path;

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
            return EmbeddedStore.open(directory, StoreOptions.defaults());
        }
    };

    /**
     * A store.
     *
     * @param directory where it may keep files
     */
    abstract RevisionedStore open(Path directory);
}
