package io.fairlead.schema.typed;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.GoType.Alternative;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.Management;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Patch;
import io.fairlead.schema.typed.GoType.Published;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Shape;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One reading of a table of types; the text says of itself how it is written. */
final class TypeTableReader {
    private static final String ATOMIC = " atomic";
    private static final String SCHEMA = "apiextensions/v1.JSONSchemaProps";

    private static final String EMBEDDED = ".";

    private final String text;
    private final Map<String, Struct> known;
    private final Map<String, Struct> structs = new HashMap<>();
    private final Map<String, Struct> kinds = new HashMap<>();

    /** @param known types of another table that this one mentions */
    TypeTableReader(String text, Map<String, Struct> known) {
        this.text = text;
        this.known = known;
    }

    ApiTypes.TypeTable table() {
        Struct current = null;
        for (String line : text.split("\n", -1)) {
            if (line.startsWith(" ") && current != null) {
                current.add(field(line.substring(1).split(" ", -1)));
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                current = header(line);
            }
        }
        structs.values().forEach(Struct::complete);
        return new ApiTypes.TypeTable(Map.copyOf(structs), Map.copyOf(kinds));
    }

    private Struct header(String line) {
        int kind = line.indexOf(" = ");
        String name = kind < 0 ? line : line.substring(0, kind);
        boolean atomic = name.endsWith(ATOMIC);
        Struct struct = struct(atomic ? name.substring(0, name.length() - ATOMIC.length()) : name);
        if (atomic) {
            struct.makeAtomic();
        }
        if (kind >= 0) {
            kinds.put(line.substring(kind + 3), struct);
        }
        return struct;
    }

    /** A type that this table or the other describes somewhere. */
    private Struct struct(String name) {
        Struct elsewhere = known.get(name);
        return elsewhere == null ? structs.computeIfAbsent(name, Struct::new) : elsewhere;
    }

    private Field field(String[] words) {
        boolean kept = false;
        Patch patch = Patch.NONE;
        Management management = Management.NONE;
        Published published = Published.NONE;
        for (String word : Arrays.asList(words).subList(3, words.length)) {
            if (word.equals("+")) {
                kept = true;
            } else if (word.startsWith("patch=")) {
                patch = new Patch(Set.of(word.substring(6).split(",", -1)), patch.mergeKey());
            } else if (word.startsWith("key=")) {
                patch = new Patch(patch.strategies(), word.substring(4));
            } else if (word.equals("!")) {
                published = new Published(true, published.values());
            } else if (word.startsWith("enum=")) {
                String values = word.substring(5).replace('_', ' ');
                published = new Published(published.required(), List.of(values.split(",", -1)));
            } else {
                management = management(word);
            }
        }
        boolean pointer = words[2].startsWith("*");
        GoType type = type(words[2].substring(pointer ? 1 : 0), pointer, null);
        String name = words[0].equals(EMBEDDED) ? "" : words[0];
        return new Field(name, Integer.parseInt(words[1]), type, pointer, kept, patch, management, published);
    }

    private static Management management(String word) {
        if (word.equals("atomic")) {
            return new Management(true, false, false, List.of(), null);
        }
        if (word.equals("granular")) {
            return new Management(false, true, false, List.of(), null);
        }
        if (word.startsWith("default=")) {
            return new Management(false, false, false, List.of(), Json.read(word.substring(8)));
        }
        if (word.equals("list=set")) {
            return new Management(false, false, true, List.of(), null);
        }
        if (word.startsWith("list=map:")) {
            return new Management(false, false, true, List.of(word.substring(9).split(",", -1)), null);
        }
        throw new IllegalArgumentException("word \"" + word + "\" in the table of types");
    }

    private GoType type(String expression, boolean pointer, @Nullable String goName) {
        if (expression.startsWith("<")) {
            int end = expression.indexOf('>');
            return type(expression.substring(end + 1), pointer, expression.substring(1, end));
        }
        if (expression.startsWith("[]")) {
            GoType element = type(expression.substring(2), false, null);
            return new ListOf(goName == null ? "[]" + element.goName() : goName, element);
        }
        if (expression.startsWith("{}")) {
            GoType element = type(expression.substring(2), false, null);
            return new MapOf(goName == null ? "map[string]" + element.goName() : goName, element);
        }
        return single(expression, pointer, goName == null ? expression : goName);
    }

    private GoType single(String expression, boolean pointer, String goName) {
        return switch (expression) {
            case "string" -> new Scalar(goName, Shape.STRING, pointer);
            case "int32" -> new Scalar(goName, Shape.INT32, pointer);
            case "int64" -> new Scalar(goName, Shape.INT64, pointer);
            case "float64" -> new Scalar(goName, Shape.NUMBER, pointer);
            case "bool" -> new Scalar(goName, Shape.BOOLEAN, pointer);
            case "bytes" -> new Scalar("[]uint8", Shape.BYTES, false);
            case "time" -> new Scalar(goName, Shape.TIME, false);
            case "microTime" -> new Scalar(goName, Shape.MICRO_TIME, false);
            case "quantity" -> new Scalar(goName, Shape.QUANTITY, true);
            case "intOrString" -> new Scalar(goName, Shape.INT_OR_STRING, true);
            case "raw" -> new Scalar(goName, Shape.ANY, true);
            case "schemaOrBool" ->
                union(goName, new Alternative(2, struct(SCHEMA)), new Alternative(1, scalar("bool")));
            case "schemaOrSchemas" ->
                union(goName, new Alternative(1, struct(SCHEMA)), new Alternative(2, type("[]" + SCHEMA, false, null)));
            case "schemaOrStrings" ->
                union(goName, new Alternative(1, struct(SCHEMA)), new Alternative(2, type("[]string", false, null)));
            default -> struct(expression);
        };
    }

    private GoType scalar(String expression) {
        return type(expression, false, null);
    }

    private static Union union(String goName, Alternative... alternatives) {
        return new Union(goName, List.of(alternatives));
    }
}
