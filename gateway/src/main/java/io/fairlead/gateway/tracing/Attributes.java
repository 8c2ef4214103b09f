package io.fairlead.gateway.tracing;

import io.fairlead.schema.protobuf.ProtobufWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a span says beside its times, each value of bounded length. One thread. */
final class Attributes {
    /** Beyond it a text is cut off: some are a client's. */
    private static final int CHARACTERS_MAX = 256;

    private static final int KEY = 1;
    private static final int VALUE = 2;
    private static final int STRING_VALUE = 1;
    private static final int INT_VALUE = 3;

    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, Long> numbers = new LinkedHashMap<>();

    static String bounded(String text) {
        return text.length() <= CHARACTERS_MAX ? text : text.substring(0, CHARACTERS_MAX);
    }

    Attributes put(String key, String value) {
        texts.put(key, bounded(value));
        return this;
    }

    Attributes put(String key, long value) {
        numbers.put(key, value);
        return this;
    }

    /** Writes each as a message {@code KeyValue}. */
    void writeTo(ProtobufWriter message, int field) {
        texts.forEach((key, value) -> message.message(field, attribute -> {
            attribute.text(KEY, key);
            attribute.message(VALUE, any -> any.text(STRING_VALUE, value));
        }));
        numbers.forEach((key, value) -> message.message(field, attribute -> {
            attribute.text(KEY, key);
            attribute.message(VALUE, any -> any.number(INT_VALUE, value));
        }));
    }
}
