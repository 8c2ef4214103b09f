package io.fairlead.gateway.guard;

/** A member of an event that the guard reads (meta/v1 {@code WatchEvent}, {@code ObjectMeta}, {@code Table}). */
enum Member {
    TYPE("type", Content.TEXT),
    OBJECT("object", Content.OBJECT),
    KIND("kind", Content.TEXT),
    API_VERSION("apiVersion", Content.TEXT),
    METADATA("metadata", Content.OBJECT),
    ROWS("rows", Content.ANY),
    NAME("name", Content.TEXT),
    NAMESPACE("namespace", Content.TEXT),
    RESOURCE_VERSION("resourceVersion", Content.TEXT),
    ANNOTATIONS("annotations", Content.OBJECT),
    INITIAL_EVENTS_END("k8s.io/initial-events-end", Content.ANY);

    /** What a client takes as its value; {@code null} is always absence. */
    enum Content {
        TEXT,
        OBJECT,
        ANY
    }

    private final String name;
    private final Content content;

    Member(String name, Content content) {
        this.name = name;
        this.content = content;
    }

    Content content() {
        return content;
    }

    boolean isNamed(Text text) {
        return text.is(name);
    }
}
