package io.fairlead.hosted.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CompactedException;
import io.fairlead.storage.RevisionedStore.Page;
import io.fairlead.storage.RevisionedStore.StoreException;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The archive of what stands below a prefix of a store, piece by piece, each read when the last one has been written.
 *
 * <p>It is broken off if the revision is compacted meanwhile, which leaves a reader an interval of the store's compaction.
 */
public final class ArchiveWriter implements ApiResponse.Frames {
    private static final long PIECE_BYTES = 128L * 1024;

    private final RevisionedStore store;
    private final String prefix;
    private final ArchiveHeader header;
    private final MessageDigest digest = ArchiveLine.sha256();
    private State state = State.HEADER;
    private @Nullable String after;
    private long entries;
    private volatile boolean closed;

    /** @param prefix what the keys of the archive leave out */
    public ArchiveWriter(ArchiveHeader header, RevisionedStore store, String prefix) {
        this.header = header;
        this.store = store;
        this.prefix = prefix;
    }

    private enum State {
        HEADER,
        ENTRIES,
        LAST_LINE,
        ENDED
    }

    @Override
    public byte @Nullable [] next() {
        if (closed) {
            throw new ApiResponse.BrokenOffException(
                    "an archive cannot be finished: the client is gone", new IllegalStateException("closed"));
        }
        return switch (state) {
            case HEADER -> {
                state = State.ENTRIES;
                yield counted(line(header.json()));
            }
            case ENTRIES -> entries();
            case LAST_LINE -> {
                state = State.ENDED;
                yield line(Json.object()
                        .put(ArchiveLine.ENTRIES, entries)
                        .put(ArchiveLine.SUM, HexFormat.of().formatHex(digest.digest())));
            }
            case ENDED -> null;
        };
    }

    private byte @Nullable [] entries() {
        Page page;
        try {
            page = store.page(prefix, after, PIECE_BYTES, header.revision());
        } catch (CompactedException | StoreException e) {
            throw new ApiResponse.BrokenOffException("an archive cannot be finished: " + e.getMessage(), e);
        }
        if (!page.more()) {
            state = State.LAST_LINE;
        }
        if (page.entries().isEmpty()) {
            return next();
        }
        after = page.entries().getLast().key();
        entries += page.entries().size();
        return counted(ArchiveLine.of(page.entries(), prefix.length()));
    }

    private byte[] counted(byte[] piece) {
        digest.update(piece);
        return piece;
    }

    private static byte[] line(ObjectNode members) {
        return (Json.text(members) + "\n").getBytes(UTF_8);
    }

    @Override
    public void close() {
        closed = true;
    }
}
