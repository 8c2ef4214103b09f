package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** A member of an event that the guard reads (meta/v1 {@code WatchEvent}, {@code ObjectMeta}, {@code Table}). */
enum Member {
    TYPE(1, "type", Content.TEXT),
    OBJECT(1 << 1, "object", Content.OBJECT),
    KIND(1 << 2, "kind", Content.TEXT),
    API_VERSION(1 << 3, "apiVersion", Content.TEXT),
    METADATA(1 << 4, "metadata", Content.OBJECT),
    ROWS(1 << 5, "rows", Content.ANY),
    NAME(1 << 6, "name", Content.TEXT),
    NAMESPACE(1 << 7, "namespace", Content.TEXT),
    RESOURCE_VERSION(1 << 8, "resourceVersion", Content.TEXT),
    ANNOTATIONS(1 << 9, "annotations", Content.OBJECT),
    INITIAL_EVENTS_END(1 << 10, "k8s.io/initial-events-end", Content.ANY);

    /** What a client takes as its value; {@code null} is always absence. */
    enum Content {
        TEXT,
        OBJECT,
        ANY
    }

    private final int bit;

    @SuppressWarnings("ImmutableEnumChecker") // never written to
    private final byte[] name;

    private final Content content;

    Member(int bit, String name, Content content) {
        this.bit = bit;
        this.name = name.getBytes(US_ASCII);
        this.content = content;
    }

    Content content() {
        return content;
    }

    boolean isNamed(Text text) {
        return text.is(name);
    }

    /** Its own bit in a set of members. */
    int bit() {
        return bit;
    }
}
