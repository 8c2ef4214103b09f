package io.fairlead.schema.json;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.StringNode;

/** What a YAML scalar means, by the rules of {@code go.yaml.in/yaml/v2} for values without a type. */
final class YamlScalar {
    private static final String TAG_PREFIX = "tag:yaml.org,2002:";
    private static final Map<String, JsonNode> WORDS = Map.ofEntries(
            Map.entry("", NullNode.getInstance()),
            Map.entry("~", NullNode.getInstance()),
            Map.entry("null", NullNode.getInstance()),
            Map.entry("true", BooleanNode.TRUE),
            Map.entry("yes", BooleanNode.TRUE),
            Map.entry("y", BooleanNode.TRUE),
            Map.entry("on", BooleanNode.TRUE),
            Map.entry("false", BooleanNode.FALSE),
            Map.entry("no", BooleanNode.FALSE),
            Map.entry("n", BooleanNode.FALSE),
            Map.entry("off", BooleanNode.FALSE));
    private static final Pattern WORD_CASE = Pattern.compile("[~a-z]*|[A-Z][a-z]*|[A-Z]+");
    private static final Pattern INFINITE = Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
    private static final Pattern FLOAT = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
    private static final Pattern INTEGER =
            Pattern.compile("([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))");

    /** As of a number in JSON; longer ones cost too much. */
    private static final int NUMBER_CHARS_MAX = 1_000;

    private YamlScalar() {}

    static JsonNode value(ScalarEvent scalar, NumberForm numbers) {
        String text = scalar.getValue();
        String tag = scalar.getTag().orElse(scalar.isPlain() ? "" : "!");
        return switch (tag.startsWith(TAG_PREFIX) ? tag.substring(TAG_PREFIX.length()) : tag) {
            case "" -> plain(scalar, text, numbers);
            case "!", "str", "timestamp", "binary" -> StringNode.valueOf(text);
            case "int", "float", "bool", "null" -> tagged(scalar, tag.substring(TAG_PREFIX.length()), numbers);
            default -> throw YamlReader.unreadable(scalar.getStartMark(), "the tag " + tag + " is not supported");
        };
    }

    private static JsonNode plain(ScalarEvent scalar, String text, NumberForm numbers) {
        JsonNode word = WORD_CASE.matcher(text).matches() ? WORDS.get(text.toLowerCase(Locale.ROOT)) : null;
        if (word != null) {
            return word;
        }
        if (INFINITE.matcher(text).matches()) {
            throw YamlReader.unreadable(scalar.getStartMark(), "JSON has no number " + text);
        }
        String digits = text.replace("_", "");
        BigInteger integer = integer(digits);
        if (integer != null) {
            return numbers.of(integer);
        }
        if (FLOAT.matcher(digits).matches()) {
            if (digits.length() > NUMBER_CHARS_MAX) {
                throw YamlReader.unreadable(
                        scalar.getStartMark(),
                        "a number of " + digits.length() + " characters (expected at most " + NUMBER_CHARS_MAX + ")");
            }
            return decimal(scalar, digits, numbers);
        }
        return StringNode.valueOf(text);
    }

    private static JsonNode tagged(ScalarEvent scalar, String tag, NumberForm numbers) {
        JsonNode value = plain(scalar, scalar.getValue(), numbers);
        boolean fits = switch (tag) {
            case "int" -> isInteger(value);
            case "float" -> value.isNumber();
            case "bool" -> value.isBoolean();
            default -> value.isNull();
        };
        if (!fits) {
            throw YamlReader.unreadable(
                    scalar.getStartMark(), "\"" + JsonReader.abbreviated(scalar.getValue()) + "\" is no !!" + tag);
        }
        return value;
    }

    /** An exact number is an integer if no point and no exponent was written. */
    private static boolean isInteger(JsonNode value) {
        return value.isBigDecimal() ? value.decimalValue().scale() == 0 : value.isIntegralNumber();
    }

    private static @Nullable BigInteger integer(String digits) {
        var matcher = INTEGER.matcher(digits);
        if (!matcher.matches() || digits.length() > Long.SIZE + 3) {
            return null;
        }
        int[] radix = {16, 2, 8, 10};
        for (int group = 0; group < radix.length; group++) {
            String matched = matcher.group(group + 2);
            if (matched != null) {
                BigInteger value = new BigInteger(matched, radix[group]);
                BigInteger signed = "-".equals(matcher.group(1)) ? value.negate() : value;
                return signed.bitLength() <= Long.SIZE ? signed : null;
            }
        }
        return null;
    }

    private static JsonNode decimal(ScalarEvent scalar, String digits, NumberForm numbers) {
        JsonNode number = numbers.ofYamlDecimal(digits);
        if (number == null) {
            throw YamlReader.unreadable(
                    scalar.getStartMark(), "the number " + scalar.getValue() + " does not fit " + numbers.range());
        }
        return number;
    }
}
