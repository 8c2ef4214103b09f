package io.fairlead.cli.print;

import io.fairlead.credentials.kubeconfig.Quoting;
import java.math.BigDecimal;
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

/** Renders trees as text for people. */
public final class Rendering {
    private static final String DIGEST = "v1:sha256:";

    /** Twelve hexadecimal digits distinguish the digests of one table. */
    private static final int DIGEST_SHOWN = DIGEST.length() + 12;

    private Rendering() {}

    public static String json(JsonNode tree) {
        return tree.toPrettyString();
    }

    /** YAML that readers of version 1.1 understand too. Ends with a line feed. */
    public static String yaml(JsonNode tree) {
        DumpSettings settings = DumpSettings.builder()
                .setSchema(new CoreSchema())
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setWidth(Integer.MAX_VALUE)
                .setSplitLines(false)
                .build();
        return new Dump(settings, new Quoting(settings)).dumpToString(plain(tree));
    }

    /** A digest shortened for a table; other texts unchanged. */
    public static String digest(String text) {
        return text.startsWith(DIGEST) && text.length() > DIGEST_SHOWN ? text.substring(0, DIGEST_SHOWN) + "…" : text;
    }

    /** The lines of a text, wrapped at spaces to a number of characters where its words allow it. */
    public static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static @Nullable Object plain(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> plainObject(node);
            case ARRAY -> plainArray(node);
            case STRING -> node.stringValue();
            case NUMBER -> number(node);
            case BOOLEAN -> node.booleanValue();
            case NULL, MISSING, BINARY, POJO -> null;
        };
    }

    /** A number as it was written, however many digits it has. */
    private static Object number(JsonNode number) {
        if (number.isDouble()) {
            return number.doubleValue();
        }
        BigDecimal exact = number.decimalValue();
        return exact.scale() == 0 ? exact.unscaledValue() : exact;
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
