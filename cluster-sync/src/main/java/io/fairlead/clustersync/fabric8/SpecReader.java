package io.fairlead.clustersync.fabric8;

import io.fairlead.clustersync.TypeReader;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/**
 * Reads the {@code spec} of a CustomResourceDefinition as it goes by: keeps the few fields that say what is served, and what
 * the rest defines as digests. Of the text, which is nearly all of a definition, nothing stays.
 */
final class SpecReader extends ValueDeserializer<CrdObject.Spec> {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int TEXT_EXPECTED = 32 << 10;

    private final TypeReader types;

    SpecReader(TypeReader types) {
        this.types = types;
    }

    @Override
    public CrdObject.@Nullable Spec deserialize(JsonParser parser, DeserializationContext context) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(TEXT_EXPECTED);
        try (JsonGenerator copy = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            copy.copyCurrentStructureExact(parser);
        }
        byte[] spec = text.toByteArray();
        try (JsonParser again = JSON.createParser(ObjectReadContext.empty(), spec)) {
            again.nextToken();
            CrdObject.ServedSpec served = context.readValue(again, CrdObject.ServedSpec.class);
            return new CrdObject.Spec(served, types.read(spec));
        }
    }
}
