package io.fairlead.clustersync.fabric8;

import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.schema.json.Json;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/**
 * Reads the {@code spec} of a CustomResourceDefinition as a stream: keeps the few fields that decide what is served,
 * and digests of the rest. The text, nearly all of a definition, is not kept. Values deeper than {@link Json#DEPTH_MAX}
 * levels are skipped, and such a definition has no digest.
 */
final class SpecReader extends ValueDeserializer<CrdObject.Spec> {
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW) // all clusters share a table of names
            .build();
    private static final int TEXT_EXPECTED = 32 << 10;

    private final TypeReader types;

    SpecReader(TypeReader types) {
        this.types = types;
    }

    @Override
    public CrdObject.@Nullable Spec deserialize(JsonParser parser, DeserializationContext context) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(TEXT_EXPECTED);
        boolean complete;
        try (JsonGenerator copy = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            complete = copy(parser, copy);
        }
        byte[] spec = text.toByteArray();
        try (JsonParser again = JSON.createParser(ObjectReadContext.empty(), spec)) {
            again.nextToken();
            CrdObject.ServedSpec served = context.readValue(again, CrdObject.ServedSpec.class);
            return new CrdObject.Spec(served, complete ? types.read(spec) : null);
        }
    }

    /** Copies a value without recursion; returns false if part of it was too deep and replaced by null. */
    private static boolean copy(JsonParser parser, JsonGenerator copy) {
        boolean complete = true;
        int depth = 0;
        for (JsonToken token = parser.currentToken(); ; token = parser.nextToken()) {
            if (token.isStructStart() && depth == Json.DEPTH_MAX) {
                parser.skipChildren();
                copy.writeNull();
                complete = false;
            } else {
                copy.copyCurrentEventExact(parser);
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            }
            if (depth == 0) {
                return complete;
            }
        }
    }
}
