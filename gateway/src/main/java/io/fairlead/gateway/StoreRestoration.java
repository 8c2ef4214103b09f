package io.fairlead.gateway;

import io.fairlead.config.Configuration;
import io.fairlead.hosted.archive.ArchiveException;
import io.fairlead.hosted.archive.ArchiveHeader;
import io.fairlead.hosted.archive.ArchiveReader;
import io.fairlead.storage.RestoredStore;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.StoreOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * The store of a data directory, made from an archive while no server runs. It takes its place at once, when the archive was read
 * to its end and found as it was written.
 */
public final class StoreRestoration {
    /**
     * How far the revisions go on behind those of the archive, beside a revision for each microsecond since: clients may hold any that
     * a server gave out after it, also one that was restored from the same archive before. etcd recommends as much for {@code
     * --bump-revision}.
     */
    private static final long REVISIONS_AHEAD = 1_000_000_000;

    private static final int BUFFER_BYTES = 64 * 1024;

    private StoreRestoration() {}

    /**
     * What was restored.
     *
     * @param time when the archive was written
     * @param directory the data directory
     */
    public record Result(long entries, Instant time, Path directory) {}

    /**
     * Restores.
     *
     * @param configuration of the server that will run on the data directory
     * @throws StartFailure if the directory is in use, has a store, or cannot be written
     * @throws ArchiveCheck.DamagedException if the archive is damaged
     * @throws IOException if the archive cannot be read
     */
    public static Result into(Configuration configuration, InputStream archive, InstantSource clock)
            throws StartFailure, ArchiveCheck.DamagedException, IOException {
        StoreOptions options = Limits.ofStore(configuration);
        try (DataDirectory data = DataDirectory.open(configuration.dataDir(), options)) {
            Path unfinished = data.prepareStore();
            try {
                Result result = made(unfinished, options, archive, clock, configuration.dataDir());
                data.takeStore(unfinished);
                return result;
            } catch (ArchiveException e) {
                throw new ArchiveCheck.DamagedException(e);
            } catch (StoreException e) {
                throw new StartFailure("data directory " + configuration.dataDir() + ": " + e.getMessage(), "");
            } finally {
                data.removeUnfinishedStore();
            }
        }
    }

    private static Result made(
            Path store, StoreOptions options, InputStream archive, InstantSource clock, Path directory)
            throws IOException {
        try (RestoredStore restored = RestoredStore.begin(store, options)) {
            return fill(restored, archive, clock, directory);
        }
    }

    private static Result fill(RestoredStore store, InputStream archive, InstantSource clock, Path directory)
            throws IOException {
        ArchiveReader reader = new ArchiveReader(ArchiveHeader.Content.STORE, (entry, _) -> store.add(entry));
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int read = archive.read(buffer); read >= 0; read = archive.read(buffer)) {
                reader.accept(buffer, 0, read);
            }
            reader.end();
            ArchiveHeader header = reader.header().orElseThrow();
            long micros = Math.max(0, ChronoUnit.MICROS.between(header.time(), clock.instant()));
            store.finish(header.revision() + REVISIONS_AHEAD + micros);
            return new Result(reader.count(), header.time(), directory);
        } catch (IllegalArgumentException e) {
            throw new ArchiveException(String.valueOf(e.getMessage()));
        }
    }
}
