package io.fairlead.hosted.objects;

import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one request works in. It is taken before an object is decoded, and kept until the request is done with it.
 *
 * <p>Threads: one, the request's; blocks until there is room.
 */
public interface Work extends AutoCloseable {
    /** Of the cluster's own controllers, which have one object at a time. */
    Work UNCOUNTED = new Work() {
        @Override
        public void sends(byte[] body, Form form) {}

        @Override
        public void creates(Codec codec) {}

        @Override
        public @Nullable Entry toChange(Codec codec, Supplier<@Nullable Entry> stored) {
            return stored.get();
        }

        @Override
        public @Nullable Entry toRead(Codec codec, Supplier<@Nullable Entry> stored) {
            return stored.get();
        }

        @Override
        public void keepsOnly(long bytes) {}

        @Override
        public void close() {}
    };

    /** What a text is written in. */
    enum Form {
        JSON,
        YAML,
        PROTOBUF
    }

    /**
     * Makes room for the body of a write to be decoded.
     *
     * @throws StatusException 429 if there is none in time, as of the others
     */
    void sends(byte[] body, Form form);

    /** Makes room for an object to be made of the body. */
    void creates(Codec codec);

    /**
     * A stored object to be changed by the body, once there is room for that.
     *
     * @param codec that will read it
     * @param stored reads it, again after a wait: it is not kept meanwhile; null if there is none
     */
    @Nullable
    Entry toChange(Codec codec, Supplier<@Nullable Entry> stored);

    /** As {@link #toChange}, to be shown or deleted. */
    @Nullable
    Entry toRead(Codec codec, Supplier<@Nullable Entry> stored);

    /** Gives back all but so many bytes: the objects are no longer there, and their text has so many. */
    void keepsOnly(long bytes);

    @Override
    void close();
}
