package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.archive.ArchiveException;
import io.fairlead.hosted.archive.ArchiveHeader;
import io.fairlead.hosted.archive.ArchiveWriter;
import io.fairlead.hosted.objects.ClusterBudget;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The archives of hosted clusters: written from what the store has at one revision, and read into new clusters.
 *
 * <p>An archive comes in parts, since a request has a limited body. At most {@value #IMPORTS_MAX} are read at a time, of which each
 * holds a line of the archive; one whose next part does not come in time is given up, and what it has stored deleted. None outlives
 * the process.
 *
 * <p>Threads: any; blocks.
 */
public final class ClusterArchives {
    static final int IMPORTS_MAX = 2;

    /** How long the next part of an archive may take. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final int RETRY_AFTER_SECONDS = 10;

    private final RevisionedStore store;
    private final ClusterRecords records;
    private final ClusterBudget definitions;
    private final int objectBytesMax;
    private final InstantSource clock;
    private final Consumer<String> deletions;
    private final Map<ClusterName, ClusterImport> imports = new HashMap<>();

    /**
     * The archives of a store.
     *
     * @param definitions what the definitions of all clusters may take
     * @param objectBytesMax how large an object may be
     * @param deletions receives the uid of each import that is over, for {@link ClusterRecords#deleteData}
     */
    ClusterArchives(
            RevisionedStore store,
            ClusterRecords records,
            ClusterBudget definitions,
            int objectBytesMax,
            InstantSource clock,
            Consumer<String> deletions) {
        this.store = store;
        this.records = records;
        this.definitions = definitions;
        this.objectBytesMax = objectBytesMax;
        this.clock = clock;
        this.deletions = deletions;
    }

    /**
     * How far an import is.
     *
     * @param bytes how many bytes of the archive were taken
     * @param entries how many objects were in them
     * @param from the name of the cluster in the archive, empty before its first line was read
     * @param builtIns the kinds that it served
     * @param isComplete whether the cluster has its data now
     */
    public record Progress(long bytes, long entries, String from, BuiltIns builtIns, boolean isComplete) {}

    /** The archive of a cluster as it is now, with all writes that were acknowledged; empty if it has no data. */
    public Optional<ApiResponse.Frames> of(ClusterName name) {
        long revision = store.revision();
        return records.find(name, revision)
                .map(found -> new ArchiveWriter(
                        ArchiveHeader.ofCluster(name.value(), found.builtIns(), revision, clock.instant()),
                        store,
                        new ClusterKeys(found.uid()).cluster()));
    }

    /** The archive of the whole store as it is now. */
    public ApiResponse.Frames ofAll() {
        return new ArchiveWriter(ArchiveHeader.ofStore(store.revision(), clock.instant()), store, "");
    }

    /**
     * Takes a part of an archive; the first one begins anew, whatever came before.
     *
     * @param offset how many bytes of the archive stand before the part
     * @param isLast whether nothing follows
     * @throws StatusException 409 if the part does not follow the one before, or the name is taken; 422 if the archive is damaged;
     *     429 if too many are read at a time
     */
    public Progress add(ClusterName name, long offset, byte[] part, boolean isLast) {
        ClusterImport current = offset == 0 ? begin(name) : current(name);
        synchronized (current) {
            if (current.isOver()) {
                throw notUnderWay(name);
            }
            if (current.bytes() != offset) {
                throw refused(
                        409, "Conflict", name, "its next part begins at " + current.bytes() + " and not at " + offset);
            }
            try {
                return added(name, current, part, isLast);
            } catch (ArchiveException damaged) {
                end(name, current);
                throw refused(422, "Invalid", name, String.valueOf(damaged.getMessage()));
            } catch (RuntimeException | Error failed) {
                end(name, current);
                throw failed;
            }
        }
    }

    /** Gives up those whose next part did not come in time. */
    void abandonIdle() {
        for (Map.Entry<ClusterName, ClusterImport> each : running()) {
            if (each.getValue().isIdleSince(clock.instant().minus(PATIENCE))) {
                end(each.getKey(), each.getValue());
            }
        }
    }

    private Progress added(ClusterName name, ClusterImport current, byte[] part, boolean isLast) {
        ClusterImport.Progress progress = current.add(part, clock);
        if (isLast) {
            if (!current.complete()) {
                throw taken(name);
            }
            end(name, current);
        }
        @Nullable ArchiveHeader header = progress.header();
        return new Progress(
                progress.bytes(),
                progress.entries(),
                header == null ? "" : header.cluster(),
                header == null ? BuiltIns.CORE : header.builtIns(),
                isLast);
    }

    private ClusterImport begin(ClusterName name) {
        if (records.find(name, store.revision()).isPresent()) {
            throw taken(name);
        }
        abandonIdle();
        ClusterImport before;
        ClusterImport begun =
                new ClusterImport(name, store, records, definitions.ofCluster(), objectBytesMax, clock.instant());
        synchronized (imports) {
            before = imports.remove(name);
            if (before == null && imports.size() >= IMPORTS_MAX) {
                throw new StatusException(Status.withCause(
                        429,
                        "TooManyRequests",
                        "too many imports at a time (expected at most " + IMPORTS_MAX + ")",
                        "TooManyImports",
                        RETRY_AFTER_SECONDS));
            }
            imports.put(name, begun);
        }
        if (before != null) {
            end(name, before);
        }
        return begun;
    }

    private ClusterImport current(ClusterName name) {
        synchronized (imports) {
            ClusterImport current = imports.get(name);
            if (current == null) {
                throw notUnderWay(name);
            }
            return current;
        }
    }

    private List<Map.Entry<ClusterName, ClusterImport>> running() {
        synchronized (imports) {
            return List.copyOf(imports.entrySet());
        }
    }

    /** Ends an import; what it has stored is deleted unless it became a cluster. */
    private void end(ClusterName name, ClusterImport over) {
        synchronized (imports) {
            imports.remove(name, over);
        }
        String uid = over.end();
        if (uid != null) {
            deletions.accept(uid);
        }
    }

    private static StatusException notUnderWay(ClusterName name) {
        return refused(409, "Conflict", name, "no import of it is under way (expected its first part, at offset 0)");
    }

    private static StatusException taken(ClusterName name) {
        return refused(
                409,
                "AlreadyExists",
                name,
                "a cluster of that name has data (expected a new name, or 'fairlead cluster delete --purge' first)");
    }

    private static StatusException refused(int code, String reason, ClusterName name, String why) {
        return new StatusException(Status.of(code, reason, "import of cluster \"" + name + "\": " + why));
    }
}
