package io.fairlead.hosted.identity;

import io.fairlead.credentials.jwt.SigningKey;
import io.fairlead.credentials.jwt.TokenKeys;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/*
 * The keys of a cluster are one entry of the store beside the cluster's objects, not among them: no path of the API leads there,
 * and an archive of the cluster has no part of it, so that two clusters made of one archive do not accept each other's tokens.
 * What was written is never logged, and no exception has it.
 *
 * Rotation: the newest key signs, all of them verify. What the annotations of kube-system say of their ages is looked at whenever
 * a key is needed, so that it takes no worker and no memory of what was done already.
 */

/**
 * The private keys by which a cluster signs tokens. The first is made when it is needed for the first time; they survive restarts,
 * and are deleted with the cluster.
 *
 * <p>Threads: any; what makes a key blocks until it is durable. Only this changes the entry while the cluster is open.
 */
final class SigningKeys {
    /** How many verify; with one more the oldest is forgotten. */
    static final int KEYS_MAX = 8;

    private static final String KEYS = "keys";
    private static final String MADE = "made";
    private static final String KEY = "key";

    private final RevisionedStore store;
    private final String entryKey;
    private final SigningKeyIds ids;
    private final TokenObjects objects;
    private final InstantSource clock;
    private final ReentrantLock making = new ReentrantLock();

    /** What the store has; null before it was read. */
    private volatile @Nullable Stored stored;

    private volatile ReadAges readAges = new ReadAges(0, KeyAges.ANY);

    /**
     * Those of a cluster.
     *
     * @param entryKey of the entry that has them
     * @param ids those of all clusters
     */
    SigningKeys(RevisionedStore store, String entryKey, SigningKeyIds ids, TokenObjects objects, InstantSource clock) {
        this.store = store;
        this.entryKey = entryKey;
        this.ids = ids;
        this.objects = objects;
        this.clock = clock;
    }

    /**
     * A key and its age.
     *
     * @param verifier its public part
     */
    private record Dated(SigningKey key, Instant made, TokenKeys verifier) {
        static Dated of(SigningKey key, Instant made) {
            return new Dated(key, made, SigningKey.publicKeys(List.of(key)));
        }
    }

    /**
     * An entry.
     *
     * @param keys the newest first
     * @param revision 0 if there is none
     */
    private record Stored(List<Dated> keys, long revision) {}

    /** The annotations at a revision of the namespace. */
    private record ReadAges(long revision, KeyAges ages) {}

    /** The key that signs now. */
    SigningKey signing() {
        Optional<SigningKey> fit = youngEnough(stored());
        return fit.isPresent() ? fit.get() : made();
    }

    /** The public part of the key that a token names; empty if it is none that verifies now. */
    Optional<TokenKeys> verifier(@Nullable String keyId) {
        KeyAges ages = ages();
        Instant now = clock.instant();
        return stored().keys.stream()
                .filter(dated -> dated.key.keyId().equals(keyId) && ages.mayVerify(dated.made, now))
                .map(Dated::verifier)
                .findFirst();
    }

    /** The public parts of all keys that verify now; at least of one. */
    TokenKeys published() {
        signing();
        KeyAges ages = ages();
        Instant now = clock.instant();
        return SigningKey.publicKeys(stored().keys.stream()
                .filter(dated -> ages.mayVerify(dated.made, now))
                .map(Dated::key)
                .toList());
    }

    private Optional<SigningKey> youngEnough(Stored present) {
        KeyAges ages = ages();
        Instant now = clock.instant();
        return present.keys.stream()
                .limit(1)
                .filter(newest -> ages.maySign(newest.made, now))
                .map(Dated::key)
                .findFirst();
    }

    private SigningKey made() {
        making.lock();
        try {
            while (true) {
                Stored present = stored();
                Optional<SigningKey> fit = youngEnough(present);
                if (fit.isPresent()) {
                    return fit.get();
                }
                add(present);
            }
        } finally {
            making.unlock();
        }
    }

    /** Adds a new key, unless the entry is another one than was read; it is read again then. */
    private void add(Stored present) {
        SigningKey added = SigningKey.generate();
        List<Dated> keys = new ArrayList<>();
        keys.add(Dated.of(added, clock.instant()));
        present.keys.stream().limit(KEYS_MAX - 1L).forEach(keys::add);
        ids.add(added.keyId());
        boolean isStored = false;
        try {
            stored = switch (store.commit(new Write.Put(entryKey, written(keys), present.revision))) {
                case CommitResult.Committed(long revision) -> {
                    isStored = true;
                    yield new Stored(List.copyOf(keys), revision);
                }
                case CommitResult.Mismatch _ -> null;
            };
        } finally {
            List<Dated> gone =
                    isStored ? present.keys.stream().skip(KEYS_MAX - 1L).toList() : keys.subList(0, 1);
            gone.forEach(dated -> ids.remove(dated.key.keyId()));
        }
    }

    private Stored stored() {
        Stored known = stored;
        return known == null ? readOnce() : known;
    }

    /** Under the lock: otherwise what was read could take the place of what is newer. */
    private Stored readOnce() {
        making.lock();
        try {
            Stored known = stored;
            if (known == null) {
                known = read(store.get(entryKey));
                known.keys.forEach(dated -> ids.add(dated.key.keyId()));
                stored = known;
            }
            return known;
        } finally {
            making.unlock();
        }
    }

    /** What the namespace says of their ages, at present. */
    KeyAges ages() {
        Entry namespace = objects.systemNamespace();
        if (namespace == null) {
            return KeyAges.ANY;
        }
        ReadAges known = readAges;
        if (known.revision != namespace.revision()) {
            known = new ReadAges(namespace.revision(), KeyAges.of(namespace.value()));
            readAges = known;
        }
        return known.ages;
    }

    private static Stored read(@Nullable Entry entry) {
        if (entry == null) {
            return new Stored(List.of(), 0);
        }
        List<Dated> keys = new ArrayList<>();
        for (JsonNode each : Json.read(entry.value()).path(KEYS)) {
            keys.add(Dated.of(
                    SigningKey.read(Json.text(each.path(KEY))),
                    Instant.parse(each.path(MADE).asString(""))));
        }
        return new Stored(List.copyOf(keys), entry.revision());
    }

    /** The ids of the keys of an entry, without reading the keys, which takes longer. */
    static List<String> ids(byte[] entry) {
        return Json.read(entry)
                .path(KEYS)
                .valueStream()
                .map(each -> each.path(KEY).path("kid").asString(""))
                .toList();
    }

    private static byte[] written(List<Dated> keys) {
        ArrayNode array = Json.array();
        for (Dated each : keys) {
            array.addObject().put(MADE, each.made.toString()).set(KEY, Json.read(each.key.json()));
        }
        return Json.write(Json.object().set(KEYS, array));
    }
}
