package io.fairlead.hosted.representation;

import io.fairlead.hosted.representation.JsonPath.Field;
import io.fairlead.hosted.representation.JsonPath.Filter;
import io.fairlead.hosted.representation.JsonPath.Index;
import io.fairlead.hosted.representation.JsonPath.Literal;
import io.fairlead.hosted.representation.JsonPath.Recursive;
import io.fairlead.hosted.representation.JsonPath.Slice;
import io.fairlead.hosted.representation.JsonPath.Step;
import io.fairlead.hosted.representation.JsonPath.Union;
import io.fairlead.hosted.representation.JsonPath.Wildcard;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** Parses the text of a {@link JsonPath}. Single use. */
final class JsonPathParser {
    private static final Pattern COMPARISON = Pattern.compile("([^!<>=]+)([!<>=]+)(.+)");
    private static final Pattern QUOTED_KEY = Pattern.compile("'([^']*)'|\"([^\"]*)\"");
    private static final Pattern SLICE = Pattern.compile("(-?\\d{1,9})?(?::(-?\\d{1,9})?)?(?::(\\d{1,9})?)?");
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(\\.\\d+)?");

    private final String text;
    private int position;

    JsonPathParser(String text) {
        this.text = text;
    }

    List<Step> parse() {
        List<Step> steps = new ArrayList<>();
        while (position < text.length()) {
            parseStep(steps);
        }
        return steps;
    }

    private void parseStep(List<Step> steps) {
        switch (text.charAt(position)) {
            case ' ', '@', '$' -> position++;
            case '.' -> parseDot(steps);
            case '[' -> steps.add(text.startsWith("[?(", position) ? parseFilter() : parseBrackets());
            case '\'', '"' -> steps.add(Literal.of(parseQuoted()));
            default -> steps.add(parseWord());
        }
    }

    private void parseDot(List<Step> steps) {
        if (text.startsWith("..", position)) {
            position += 2;
            steps.add(new Recursive());
            if (position < text.length() && Character.isLetterOrDigit(text.charAt(position))) {
                steps.add(parseField());
            }
            return;
        }
        position++;
        steps.add(parseField());
    }

    /** A field's name; a backslash escapes the next character. */
    private Step parseField() {
        StringBuilder name = new StringBuilder();
        while (position < text.length() && !endsField(text.charAt(position))) {
            if (text.charAt(position) == '\\' && position + 1 < text.length()) {
                position++;
            }
            name.append(text.charAt(position++));
        }
        if (name.isEmpty()) {
            throw refused("expected a field name");
        }
        return name.toString().equals("*") ? new Wildcard() : new Field(name.toString());
    }

    private static boolean endsField(char c) {
        return " \t\r\n.,[]$@{}".indexOf(c) >= 0;
    }

    private Step parseBrackets() {
        int end = text.indexOf(']', position);
        if (end < 0) {
            throw refused("unterminated array");
        }
        String content = text.substring(position + 1, end);
        position = end + 1;
        return bracketed(content);
    }

    private Step bracketed(String content) {
        if (content.indexOf(',') >= 0) {
            List<List<Step>> paths = new ArrayList<>();
            for (String part : content.split(",", -1)) {
                paths.add(List.of(bracketed(part.strip())));
            }
            return new Union(paths);
        }
        Matcher key = QUOTED_KEY.matcher(content);
        if (key.matches()) {
            return new Field(key.group(1) == null ? key.group(2) : key.group(1));
        }
        return content.equals("*") ? new Wildcard() : slice(content);
    }

    private Step slice(String content) {
        Matcher matcher = SLICE.matcher(content);
        if (content.isEmpty() || !matcher.matches()) {
            throw refused("invalid array index " + content);
        }
        if (content.indexOf(':') < 0) {
            return new Index(Integer.parseInt(content));
        }
        Integer step = integer(matcher.group(3));
        if (step != null && step == 0) {
            throw refused("step must be > 0");
        }
        return new Slice(integer(matcher.group(1)), integer(matcher.group(2)), step == null ? 1 : step);
    }

    private static @Nullable Integer integer(@Nullable String digits) {
        return digits == null ? null : Integer.valueOf(digits);
    }

    private Step parseFilter() {
        int end = endOfFilter(position + 3);
        String content = text.substring(position + 3, end);
        position = end + 2;
        Matcher comparison = COMPARISON.matcher(content);
        return comparison.matches()
                ? new Filter(
                        new JsonPathParser(comparison.group(1).strip()).parse(),
                        comparison.group(2),
                        new JsonPathParser(comparison.group(3).strip()).parse())
                : new Filter(new JsonPathParser(content).parse(), "", List.of());
    }

    /** The index of a filter's {@code )]}; both characters may occur inside quotes. */
    private int endOfFilter(int from) {
        char quote = 0;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (text.startsWith(")]", i)) {
                return i;
            }
        }
        throw refused("unterminated filter");
    }

    private String parseQuoted() {
        char quote = text.charAt(position++);
        StringBuilder literal = new StringBuilder();
        while (position < text.length() && text.charAt(position) != quote) {
            if (text.charAt(position) == '\\' && position + 1 < text.length()) {
                position++;
            }
            literal.append(text.charAt(position++));
        }
        if (position == text.length()) {
            throw refused("unterminated quoted string");
        }
        position++;
        return literal.toString();
    }

    private Step parseWord() {
        int start = position;
        while (position < text.length() && " \t,[]$@{}".indexOf(text.charAt(position)) < 0) {
            position++;
        }
        String word = text.substring(start, position);
        if (word.equals("true") || word.equals("false")) {
            return new Literal(JsonNodeFactory.instance.booleanNode(word.equals("true")));
        }
        if (NUMBER.matcher(word).matches()) {
            return new Literal(JsonNodeFactory.instance.numberNode(new BigDecimal(word)));
        }
        position = start;
        throw refused("unrecognized character");
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("JSONPath \"" + text + "\": " + why + " at character " + position
                + " (expected a path like .spec.a[0])");
    }
}
