package io.fairlead.hosted.cluster;

import io.fairlead.hosted.archive.ArchiveException;
import io.fairlead.hosted.archive.ArchiveHeader;
import io.fairlead.hosted.archive.ArchiveReader;
import io.fairlead.hosted.crd.DefinitionGate;
import io.fairlead.hosted.objects.ClusterBudget;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.ObjectName;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One archive that becomes a cluster, part by part. What it has is stored at once, below a uid that is no cluster's until the
 * archive is complete.
 *
 * <p>Threads: any, one part at a time.
 */
final class ClusterImport {
    /** GROUP/RESOURCE/[NAMESPACE/]NAME, see {@link ClusterKeys}. */
    private static final Pattern KEY =
            Pattern.compile("[a-z0-9]([a-z0-9.-]*[a-z0-9])?/[a-z0-9]([a-z0-9-]*[a-z0-9])?(/[!-~&&[^/]]+){1,2}");

    /** Objects that say where the server is from which the archive comes; the new one makes its own. */
    private static final Set<String> OF_THE_SERVER = Set.of(
            "core/services/default/kubernetes",
            "core/endpoints/default/kubernetes",
            "discovery.k8s.io/endpointslices/default/kubernetes");

    private static final String DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions/";

    private final ClusterName name;
    private final RevisionedStore store;
    private final ClusterRecords records;
    private final ClusterBudget.OfCluster definitions;
    private final int objectBytesMax;
    private final ArchiveReader reader = new ArchiveReader(ArchiveHeader.Content.CLUSTER, this::take);
    private final List<Entry> waiting = new ArrayList<>();
    private @Nullable String uid;
    private long bytes;
    private boolean isOver;
    private volatile boolean isBusy;
    private volatile Instant lastPart;

    /**
     * An import of which nothing has come.
     *
     * @param definitions what the definitions of the cluster may take; closed when the import is over
     * @param objectBytesMax how large an object may be
     */
    ClusterImport(
            ClusterName name,
            RevisionedStore store,
            ClusterRecords records,
            ClusterBudget.OfCluster definitions,
            int objectBytesMax,
            Instant now) {
        this.name = name;
        this.store = store;
        this.records = records;
        this.definitions = definitions;
        this.objectBytesMax = objectBytesMax;
        this.lastPart = now;
    }

    /**
     * How far it is.
     *
     * @param header what its first line says, null before it was read
     * @param bytes how many bytes of the archive were taken
     * @param entries how many entries were in them
     */
    record Progress(@Nullable ArchiveHeader header, long bytes, long entries) {}

    /** How many bytes were taken: where the next part begins. */
    synchronized long bytes() {
        return bytes;
    }

    /** Whether nothing may be added any more. */
    synchronized boolean isOver() {
        return isOver;
    }

    /** Whether no part has come since a time. Does not wait for one that is being stored. */
    boolean isIdleSince(Instant then) {
        return !isBusy && lastPart.isBefore(then);
    }

    /**
     * Stores the entries of a part.
     *
     * @throws ArchiveException if the archive is damaged; nothing more is to be added then
     */
    synchronized Progress add(byte[] part, InstantSource clock) {
        isBusy = true;
        try {
            reader.accept(part, 0, part.length);
            bytes += part.length;
            if (uid == null && reader.header().isPresent()) {
                uid = records.beginImport(name, reader.header().get().builtIns());
            }
            storeWaiting();
        } finally {
            lastPart = clock.instant();
            isBusy = false;
        }
        return new Progress(reader.header().orElse(null), bytes, reader.count());
    }

    /**
     * Makes it a cluster.
     *
     * @return whether it is one: false if another one has the name
     * @throws ArchiveException if the archive is not complete
     */
    synchronized boolean complete() {
        reader.end();
        return records.completeImport(Objects.requireNonNull(uid, "an archive that has an end has a header"));
    }

    /** Ends it; the uid of what it has stored, for {@link ClusterRecords#deleteData}, or null if nothing was. */
    synchronized @Nullable String end() {
        isOver = true;
        definitions.close();
        return uid;
    }

    private void take(Entry entry, ObjectName object) {
        String key = entry.key();
        if (!KEY.matcher(key).matches()) {
            throw new ArchiveException("key \"" + ArchiveException.shown(key)
                    + "\" (expected GROUP/RESOURCE/NAME or GROUP/RESOURCE/NAMESPACE/NAME)");
        }
        if (entry.value().length > objectBytesMax) {
            throw new ArchiveException("object " + ArchiveException.shown(key) + " has " + entry.value().length
                    + " bytes (expected at most " + objectBytesMax + ")");
        }
        requireSameName(key, object);
        if (key.startsWith(DEFINITIONS)) {
            var _ = definitions.replace(
                    DefinitionGate.DEFINITIONS,
                    key.substring(DEFINITIONS.length()),
                    DefinitionGate.bytes(Json.read(entry.value()), entry.value().length));
        }
        if (!OF_THE_SERVER.contains(key)) {
            waiting.add(entry);
        }
    }

    /** An object is found by its key, and what deletes it or judges it reads its name. */
    private static void requireSameName(String key, ObjectName object) {
        String[] segments = key.split("/", -1);
        String namespace = segments.length == 4 ? segments[2] : "";
        if (!ClusterKeys.segment(object.name()).equals(segments[segments.length - 1])
                || !ClusterKeys.segment(object.namespace()).equals(namespace)) {
            throw new ArchiveException("key \"" + ArchiveException.shown(key) + "\" has the object \""
                    + ArchiveException.shown(object.name()) + "\" of namespace \""
                    + ArchiveException.shown(object.namespace()) + "\" (expected the one that the key names)");
        }
    }

    private void storeWaiting() {
        if (waiting.isEmpty()) {
            return;
        }
        String prefix = new ClusterKeys(Objects.requireNonNull(uid)).cluster();
        try {
            Together.run(waiting, entry -> store(prefix, entry));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the import of " + name + " was stored", e);
        }
        waiting.clear();
    }

    private void store(String prefix, Entry entry) {
        String key = prefix + entry.key();
        if (key.length() > RevisionedStore.KEY_BYTES_MAX) {
            throw new ArchiveException("key of " + entry.key().length() + " characters (expected at most "
                    + (RevisionedStore.KEY_BYTES_MAX - prefix.length()) + ")");
        }
        if (store.commit(new Write.Put(key, entry.value(), 0)) instanceof CommitResult.Mismatch) {
            throw new IllegalStateException("a new uid has " + key + " already");
        }
    }
}
