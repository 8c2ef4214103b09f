package io.fairlead.gateway.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;

/** Trees as text for people. */
final class Rendering {
    private Rendering() {}

    static String json(JsonNode tree) {
        return tree.toPrettyString();
    }

    /** Ends with a line feed. */
    static String yaml(JsonNode tree) {
        DumpSettings settings = DumpSettings.builder()
                .setSchema(new CoreSchema())
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setWidth(Integer.MAX_VALUE)
                .setSplitLines(false)
                .build();
        return new Dump(settings).dumpToString(plain(tree));
    }

    private static @Nullable Object plain(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> plainObject(node);
            case ARRAY -> plainArray(node);
            case STRING -> node.stringValue();
            case NUMBER -> node.isIntegralNumber() ? (Object) node.longValue() : (Object) node.doubleValue();
            case BOOLEAN -> node.booleanValue();
            case NULL, MISSING, BINARY, POJO -> null;
        };
    }

    private static Map<String, @Nullable Object> plainObject(JsonNode object) {
        Map<String, @Nullable Object> plain = new LinkedHashMap<>();
        object.properties().forEach(member -> plain.put(member.getKey(), plain(member.getValue())));
        return plain;
    }

    private static List<@Nullable Object> plainArray(JsonNode array) {
        List<@Nullable Object> plain = new ArrayList<>();
        array.values().forEach(element -> plain.add(plain(element)));
        return plain;
    }
}
