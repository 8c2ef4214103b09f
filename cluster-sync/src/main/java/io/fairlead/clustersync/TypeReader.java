package io.fairlead.clustersync;

import io.fairlead.index.DefinedType;
import io.fairlead.index.DefinedType.DefinedVersion;
import io.fairlead.index.StoredType;
import io.fairlead.index.TypeStore;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what CustomResourceDefinitions define, for all clusters of a fleet: texts that were read before are known by their
 * hash, and only others are worked out. Safe for any thread.
 */
public final class TypeReader {
    /** Distinct texts remembered; of more, those not seen for longest are worked out again. */
    private static final int TEXTS_MAX = 8_192;

    private final TypeStore store;

    /** By hash of the text. */
    private final Map<ByteBuffer, WeakReference<DefinedType>> seen = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, WeakReference<DefinedType>> eldest) {
            return size() > TEXTS_MAX;
        }
    };

    public TypeReader(TypeStore store) {
        this.store = store;
    }

    /**
     * What a definition defines, or null if its text has no digest: an object with a member twice, or not the form of a
     * definition.
     *
     * @param spec the JSON text of its {@code spec}, in UTF-8
     */
    public @Nullable DefinedType read(byte[] spec) {
        ByteBuffer hash = hash(spec);
        DefinedType known = find(hash);
        if (known != null) {
            store.keep(known.api(), known.stored()::canonical);
            return known;
        }
        try {
            DefinedType type = define(spec);
            remember(hash, type);
            return type;
        } catch (UnreadableDocumentException unreadable) {
            return null;
        }
    }

    private DefinedType define(byte[] spec) {
        Document document = Json.readExact(spec);
        if (!document.duplicates().isEmpty()) {
            throw new UnreadableDocumentException(
                    "member " + document.duplicates().getFirst() + " (expected each once)");
        }
        DefinitionDigests digests = DefinitionDigests.ofSpec(document.root());
        StoredType stored = store.keep(digests.api(), digests.type()::bytes);
        List<DefinedVersion> versions = digests.versions().stream()
                .map(version -> new DefinedVersion(version.name(), version.schema()))
                .toList();
        return store.shared(new DefinedType(
                digests.group(),
                digests.kind(),
                stored,
                digests.full(),
                versions,
                digests.notUnderstood().isEmpty()));
    }

    private @Nullable DefinedType find(ByteBuffer hash) {
        synchronized (seen) {
            WeakReference<DefinedType> type = seen.get(hash);
            return type == null ? null : type.get();
        }
    }

    private void remember(ByteBuffer hash, DefinedType type) {
        synchronized (seen) {
            seen.put(hash, new WeakReference<>(type));
        }
    }

    private static ByteBuffer hash(byte[] text) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
