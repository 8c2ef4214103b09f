package io.fairlead.schema.digest;

import tools.jackson.databind.JsonNode;

/** The values that Go's {@code omitempty} leaves out of an object, so that giving them says nothing. */
final class OmitEmpty {
    private OmitEmpty() {}

    /** Whether it is null, false, 0, an empty text or an empty list. An empty object does say something. */
    static boolean isEmpty(JsonNode value) {
        return switch (value.getNodeType()) {
            case NULL, MISSING -> true;
            case BOOLEAN -> !value.booleanValue();
            case NUMBER -> value.decimalValue().signum() == 0;
            case STRING -> value.stringValue().isEmpty();
            case ARRAY -> value.isEmpty();
            case OBJECT, BINARY, POJO -> false;
        };
    }
}
