package io.fairlead.gateway.guard;

import org.jspecify.annotations.Nullable;

/**
 * What a message within an event in protobuf is, as far as the guard reads it (apimachinery {@code meta/v1} and
 * {@code runtime}, {@code generated.proto}).
 */
enum WireMessage {
    WATCH_EVENT,
    RAW_EXTENSION,

    /** Four bytes that say that it is Kubernetes' protobuf, and a {@code runtime.Unknown}. */
    ENVELOPE,
    TYPE_META,

    /** Of any kind: all have their metadata in the first field. */
    OBJECT,
    METADATA,
    ANNOTATION;

    /** The message in a field; null if it is not read. */
    @Nullable
    WireMessage message(int field) {
        return switch (this) {
            case WATCH_EVENT -> field == 2 ? RAW_EXTENSION : null;
            case RAW_EXTENSION -> field == 1 ? ENVELOPE : null;
            case ENVELOPE -> field == 1 ? TYPE_META : field == 2 ? OBJECT : null;
            case OBJECT -> field == 1 ? METADATA : null;
            case METADATA -> field == 12 ? ANNOTATION : null;
            case TYPE_META, ANNOTATION -> null;
        };
    }

    /** What the text in a field is; null if it is not read. */
    @Nullable
    WireText text(int field) {
        return switch (this) {
            case WATCH_EVENT -> field == 1 ? WireText.TYPE : null;
            case ENVELOPE -> field == 3 ? WireText.CONTENT_ENCODING : field == 4 ? WireText.CONTENT_TYPE : null;
            case METADATA ->
                switch (field) {
                    case 1 -> WireText.NAME;
                    case 3 -> WireText.NAMESPACE;
                    case 6 -> WireText.RESOURCE_VERSION;
                    default -> null;
                };
            case ANNOTATION -> field == 1 ? WireText.ANNOTATION_KEY : null;
            case RAW_EXTENSION, TYPE_META, OBJECT -> null;
        };
    }

    /** Whether a second one adds to the first instead of replacing it. */
    boolean isRepeated() {
        return this == ANNOTATION;
    }

    /** A text that the guard reads. */
    enum WireText {
        TYPE,

        /** Of the object, which cannot be read if there is one. */
        CONTENT_ENCODING,

        /** The same. */
        CONTENT_TYPE,
        NAME,
        NAMESPACE,
        RESOURCE_VERSION,
        ANNOTATION_KEY
    }
}
