package io.fairlead.clustersync.source;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.index.DefinedType;
import io.fairlead.index.DefinedType.DefinedVersion;
import io.fairlead.index.StoredType;
import io.fairlead.index.TypeStore;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes the types of CustomResourceDefinitions, for all clusters of a fleet: known texts are found by their hash,
 * and only others are parsed. Any thread.
 */
public final class TypeReader {
    /** The most cached texts; beyond them, the least used are parsed again. */
    private static final int TEXTS_MAX = 8_192;

    private final TypeStore store;

    /** By hash of the text; an entry is removed when its value is no longer referenced. */
    private final Cache<ByteBuffer, DefinedType> seen = Caffeine.newBuilder()
            .maximumSize(TEXTS_MAX)
            .weakValues()
            .executor(Runnable::run)
            .build();

    public TypeReader(TypeStore store) {
        this.store = store;
    }

    /**
     * The types of a definition, or null if its text has no digest: an object with a duplicate member, or an invalid
     * definition.
     *
     * @param spec the JSON text of its {@code spec}, in UTF-8
     */
    public @Nullable DefinedType read(byte[] spec) {
        ByteBuffer hash = hash(spec);
        DefinedType known = seen.getIfPresent(hash);
        if (known != null) {
            store.keep(known.api(), known.stored()::canonical);
            return known;
        }
        try {
            DefinedType type = define(spec);
            seen.put(hash, type);
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

    private static ByteBuffer hash(byte[] text) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
