package io.fairlead.hosted.cluster;

import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.Write;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which clusters have data, and under which uid: {@code /clusters/NAME} for existing clusters,
 * {@code /imported-clusters/UID} for those whose data come from an archive that is not complete yet, and
 * {@code /deleted-clusters/UID} for those whose data is being deleted. The keys by which a cluster signs tokens are at
 * {@code /signing-keys/UID}, beside what an archive of the cluster has.
 */
final class ClusterRecords {
    private static final String LIVING = "/clusters/";
    private static final String IMPORTED = "/imported-clusters/";
    private static final String DELETED = "/deleted-clusters/";
    static final String SIGNING_KEYS = "/signing-keys/";
    /** The number of objects deleted at once. */
    private static final long BATCH_BYTES = 512L * 1024;

    private static final String BUILT_INS = "builtIns";

    private final RevisionedStore store;

    ClusterRecords(RevisionedStore store) {
        this.store = store;
    }

    /**
     * One incarnation of a cluster, from its creation to its deletion.
     *
     * @param uid unique to the incarnation
     * @param firstRevision of its creation
     * @param builtIns what its data were made with: with all kinds once, with all kinds for ever, since others would find what they
     *     do not serve neither to show nor to delete it
     */
    record Incarnation(String uid, long firstRevision, BuiltIns builtIns) {}

    /** The entry that has the keys by which an incarnation signs tokens. */
    static String signingKeys(String uid) {
        return SIGNING_KEYS + uid;
    }

    /** The current incarnation of a cluster, created if there is none. Finding one needs no disk space. */
    Incarnation findOrCreate(ClusterName name, BuiltIns builtIns) {
        String key = LIVING + name;
        Entry found = store.get(key);
        if (found != null && store.get(DELETED + uidOf(found)) != null) {
            delete(found); // which its deletion did not come to
            found = null;
        }
        if (found != null && (builtIns == BuiltIns.CORE || builtInsOf(found) == BuiltIns.ALL)) {
            return incarnation(found);
        }
        String uid = found == null ? UUID.randomUUID().toString() : uidOf(found);
        store.commit(new Write.Put(key, record(name, uid, builtIns), found == null ? 0 : found.revision()));
        return incarnation(Objects.requireNonNull(store.get(key)));
    }

    /** The incarnation of a cluster at a revision, if it had data. */
    Optional<Incarnation> find(ClusterName name, long revision) {
        return Optional.ofNullable(store.get(LIVING + name, revision)).map(ClusterRecords::incarnation);
    }

    /**
     * Begins a cluster whose data come from elsewhere; it is none until {@link #completeImport}.
     *
     * @return the uid of its data
     */
    String beginImport(ClusterName name, BuiltIns builtIns) {
        String uid = UUID.randomUUID().toString();
        store.commit(new Write.Put(IMPORTED + uid, record(name, uid, builtIns), 0));
        return uid;
    }

    /**
     * Makes what was imported a cluster. Its record as an import stays, and is deleted by {@link #deleteData}.
     *
     * @return whether it is: false if another one has the name
     */
    boolean completeImport(String uid) {
        Entry imported = Objects.requireNonNull(store.get(IMPORTED + uid));
        CommitResult taken = store.commit(new Write.Put(LIVING + nameOf(imported), imported.value(), 0));
        return taken instanceof CommitResult.Committed;
    }

    private static byte[] record(ClusterName name, String uid, BuiltIns builtIns) {
        ObjectNode record = Json.object().put("name", name.value()).put("uid", uid);
        if (builtIns == BuiltIns.ALL) {
            record.put(BUILT_INS, builtIns.toString());
        }
        return Json.write(record);
    }

    private static Incarnation incarnation(Entry living) {
        return new Incarnation(uidOf(living), living.createRevision(), builtInsOf(living));
    }

    private static BuiltIns builtInsOf(Entry entry) {
        return BuiltIns.of(record(entry).path(BUILT_INS).asString(""));
    }

    Set<ClusterName> names() {
        Set<ClusterName> names = new TreeSet<>();
        for (Entry entry : store.list(LIVING, null, 0, store.revision())) {
            names.add(new ClusterName(entry.key().substring(LIVING.length())));
        }
        return names;
    }

    /**
     * Records that a cluster's data must be deleted; its name is freed by {@link #free}, else with the data.
     *
     * @return the uid for {@link #deleteData}, null if there is no such cluster
     */
    @Nullable
    String condemn(ClusterName name) {
        Entry entry = store.get(LIVING + name);
        if (entry == null) {
            return null;
        }
        String uid = uidOf(entry);
        store.commit(new Write.Put(DELETED + uid, entry.value(), 0, true));
        return uid;
    }

    /** Frees the name of a condemned cluster. */
    void free(String uid) {
        Entry condemned = store.get(DELETED + uid);
        if (condemned != null && isLiving(condemned)) {
            delete(Objects.requireNonNull(store.get(LIVING + nameOf(condemned))));
        }
    }

    /**
     * Frees the names of clusters whose deletion was interrupted by a stop of the process; call before any cluster is
     * opened.
     */
    void settleNames() {
        for (Entry entry : store.list(DELETED, null, 0, store.revision())) {
            free(uidOf(entry));
        }
    }

    /** The uids of the clusters whose data is still to be deleted, those of imports among them; call before one begins. */
    List<String> condemned() {
        return Stream.of(DELETED, IMPORTED)
                .flatMap(prefix -> store.list(prefix, null, 0, store.revision()).stream())
                .map(ClusterRecords::uidOf)
                .toList();
    }

    /**
     * Deletes the data of a cluster marked for deletion, or of an import that is over, until interrupted; of an import that became a
     * cluster only the record of the import.
     *
     * @return whether nothing is left
     * @throws StoreException if the store refuses a deletion
     */
    boolean deleteData(String uid) {
        Entry deleted = store.get(DELETED + uid);
        Entry record = deleted == null ? store.get(IMPORTED + uid) : deleted;
        if (record == null) {
            return true;
        }
        if (deleted != null) {
            free(uid);
        } else if (isLiving(record)) {
            delete(record);
            return true;
        }
        String prefix = new ClusterKeys(uid).cluster();
        List<Entry> entries;
        do {
            entries = store.page(prefix, null, BATCH_BYTES, store.revision()).entries();
            deleteAll(entries);
        } while (!entries.isEmpty() && !Thread.currentThread().isInterrupted());
        if (entries.isEmpty()) {
            Optional.ofNullable(store.get(signingKeys(uid))).ifPresent(this::delete);
            delete(record);
        }
        return entries.isEmpty();
    }

    private boolean isLiving(Entry record) {
        Entry living = store.get(LIVING + nameOf(record));
        return living != null && uidOf(living).equals(uidOf(record));
    }

    /** All at once: the store makes many durable together. */
    private void deleteAll(List<Entry> entries) {
        try {
            Together.run(entries, this::delete);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void delete(Entry entry) {
        store.commit(new Write.Delete(entry.key(), entry.revision()));
    }

    private static String uidOf(Entry entry) {
        return record(entry).path("uid").stringValue();
    }

    private static String nameOf(Entry entry) {
        return record(entry).path("name").stringValue();
    }

    private static JsonNode record(Entry entry) {
        return Json.read(entry.value());
    }
}
