package io.fairlead.schema.json;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One reading of one JSON text. */
final class JsonReader {
    /** What Jackson says of its own settings where it names a place. */
    private static final Pattern WHERE_IN_PARSER = Pattern.compile(" \\(start marker at .*\\)$", Pattern.DOTALL);

    /**
     * One level more than allowed, so that the refusal is ours and names the path. Names that hash alike are no failure: all texts
     * share a table of names, which one client could otherwise fill for the others.
     */
    static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Json.DEPTH_MAX + 1)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final JsonParser parser;
    private final NumberForm numbers;
    private final List<DuplicateField> duplicates = new ArrayList<>();
    private final Set<String> duplicatePaths = new HashSet<>();
    private int repetitions;

    private JsonReader(JsonParser parser, NumberForm numbers) {
        this.parser = parser;
        this.numbers = numbers;
    }

    static Document read(byte[] utf8, NumberForm numbers) {
        refuseOtherEncodings(utf8);
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), utf8)) {
            return new JsonReader(parser, numbers).document();
        }
    }

    /** The parser would go by a byte order mark, or by where zeros are, and take UTF-16 and UTF-32 too; Go, as RFC 8259, takes UTF-8 alone. */
    private static void refuseOtherEncodings(byte[] utf8) {
        for (int i = 0; i < Math.min(utf8.length, 4); i++) {
            if (utf8[i] == 0 || (i == 0 && utf8[i] < 0)) {
                throw new UnreadableDocumentException(
                        "invalid JSON: the text begins with the byte 0x%02x at offset %d (expected UTF-8 without a byte order mark)"
                                .formatted(utf8[i], i));
            }
        }
    }

    private Document document() {
        try {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new UnreadableDocumentException("invalid JSON: the text is empty, a value was expected");
            }
            JsonNode root = value(first, 0);
            refuseTrailing();
            return new Document(root, duplicates);
        } catch (StreamConstraintsException e) {
            throw unreadable(e.getOriginalMessage().replaceFirst("; .*", ""));
        } catch (JacksonException e) {
            throw unreadable(WHERE_IN_PARSER.matcher(e.getOriginalMessage()).replaceFirst(""));
        }
    }

    private JsonNode value(JsonToken token, int depth) {
        return switch (token) {
            case START_OBJECT -> object(depth + 1);
            case START_ARRAY -> array(depth + 1);
            case VALUE_STRING -> Json.nodes().stringNode(wellFormed(parser.getString()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
            case VALUE_TRUE -> Json.nodes().booleanNode(true);
            case VALUE_FALSE -> Json.nodes().booleanNode(false);
            case VALUE_NULL -> Json.nodes().nullNode();
            case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
                throw unreadable("unexpected " + token.name().toLowerCase(Locale.ROOT));
        };
    }

    private ObjectNode object(int depth) {
        refuseDeeper(depth);
        ObjectNode object = Json.object();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            String key = wellFormed(name);
            JsonNode value = value(parser.nextToken(), depth);
            if (object.replace(key, value) != null) {
                duplicate(key);
            }
        }
        return object;
    }

    private ArrayNode array(int depth) {
        refuseDeeper(depth);
        ArrayNode array = Json.array();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            array.add(value(token, depth));
        }
        return array;
    }

    private JsonNode number() {
        JsonNode number = numbers.ofJson(parser.getString());
        if (number == null) {
            throw unreadable("the number " + abbreviated(parser.getString()) + " does not fit " + numbers.range());
        }
        return number;
    }

    private void refuseDeeper(int depth) {
        if (depth > Json.DEPTH_MAX) {
            throw unreadable("arrays and objects nest deeper than " + Json.DEPTH_MAX + " levels");
        }
    }

    private void refuseTrailing() {
        if (parser.nextToken() != null) {
            throw unreadable("unexpected text after the end of the value");
        }
    }

    /** A path costs as much as all names above it, so none is built for duplicates that are not reported. */
    private void duplicate(String key) {
        if (repetitions == Document.DUPLICATES_MAX) {
            return;
        }
        repetitions++;
        String path = path(parser.streamReadContext());
        if (duplicatePaths.add(path)) {
            duplicates.add(
                    new DuplicateField(path, key, parser.currentTokenLocation().getLineNr()));
        }
    }

    private UnreadableDocumentException unreadable(String problem) {
        var where = parser.currentLocation();
        String path = path(parser.streamReadContext());
        return new UnreadableDocumentException("invalid JSON: line " + where.getLineNr() + ", column "
                + where.getColumnNr() + (path.isEmpty() ? "" : ", at " + abbreviated(path)) + ": " + problem);
    }

    /** The path of what is being read ({@code spec.list[0].name}), long names abbreviated. */
    private static String path(TokenStreamContext innermost) {
        List<String> steps = new ArrayList<>();
        for (@Nullable TokenStreamContext context = innermost;
                context != null && !context.inRoot();
                context = context.getParent()) {
            if (context.inArray()) {
                steps.add("[" + context.getCurrentIndex() + "]");
            } else if (context.currentName() != null) {
                steps.add("." + wellFormed(abbreviated(context.currentName())));
            }
        }
        String path = String.join("", steps.reversed());
        return path.startsWith(".") ? path.substring(1) : path;
    }

    /** What a message shows of a text. */
    static String abbreviated(String text) {
        return text.length() <= 200 ? text : text.substring(0, 200) + "…";
    }

    /** Half surrogate pairs, which have no UTF-8, become U+FFFD as in Go. */
    private static String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return repaired(text);
            }
        }
        return text;
    }

    private static String repaired(String text) {
        StringBuilder repaired = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
                .forEach(repaired::appendCodePoint);
        return repaired.toString();
    }
}
