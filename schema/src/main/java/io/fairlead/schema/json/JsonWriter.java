package io.fairlead.schema.json;

import java.io.ByteArrayOutputStream;
import java.util.Map;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;

/** Writes trees as JSON. */
final class JsonWriter {
    /** Built trees may be a little deeper than read ones: a list wraps its items. */
    private static final int DEPTH_MAX = 2 * Json.DEPTH_MAX;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
            .streamWriteConstraints(
                    StreamWriteConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
            .build();

    private final JsonGenerator generator;

    private JsonWriter(JsonGenerator generator) {
        this.generator = generator;
    }

    static byte[] write(JsonNode tree) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes, JsonEncoding.UTF8)) {
            new JsonWriter(generator).value(tree);
        }
        return bytes.toByteArray();
    }

    private void value(JsonNode node) {
        switch (node.getNodeType()) {
            case OBJECT -> object(node);
            case ARRAY -> array(node);
            case STRING -> generator.writeString(node.stringValue());
            case NUMBER -> number(node);
            case BOOLEAN -> generator.writeBoolean(node.booleanValue());
            case NULL -> generator.writeNull();
            case MISSING, BINARY, POJO -> throw new IllegalArgumentException("no JSON value: " + node.getNodeType());
        }
    }

    private void object(JsonNode object) {
        generator.writeStartObject();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            generator.writeName(member.getKey());
            value(member.getValue());
        }
        generator.writeEndObject();
    }

    private void array(JsonNode array) {
        generator.writeStartArray();
        for (JsonNode element : array.values()) {
            value(element);
        }
        generator.writeEndArray();
    }

    private void number(JsonNode number) {
        if (number.isIntegralNumber()) {
            generator.writeNumber(number.longValue());
        } else {
            generator.writeNumber(Numbers.print(number.doubleValue()));
        }
    }
}
