package io.fairlead.schema.cel;

import java.util.Optional;
import java.util.Set;

/** Names of properties as identifiers of CEL (apiserver {@code cel/escaping.go}): {@code a-b} is {@code a__dash__b}. */
public final class Identifiers {
    private static final Set<String> RESERVED = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");

    private Identifiers() {}

    /** Whether CEL keeps a word for itself, so that it can name a field but no variable. */
    public static boolean isReserved(String word) {
        return RESERVED.contains(word);
    }

    /** The identifier of a property, empty if it cannot be one. */
    public static Optional<String> escape(String name) {
        if (name.isEmpty() || (name.charAt(0) >= '0' && name.charAt(0) <= '9')) {
            return Optional.empty();
        }
        if (RESERVED.contains(name)) {
            return Optional.of("__" + name + "__");
        }
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (c == '_' && i + 1 < name.length() && name.charAt(i + 1) == '_') {
                escaped.append("__underscores__");
                i++;
            } else if (plain || c == '_') {
                escaped.append(c);
            } else if (c == '.' || c == '-' || c == '/') {
                escaped.append(c == '.' ? "__dot__" : c == '-' ? "__dash__" : "__slash__");
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(escaped.toString());
    }

    /** The name of the property that an identifier stands for, empty if for none. */
    public static Optional<String> unescape(String identifier) {
        if (!identifier.contains("__")) {
            return Optional.of(identifier);
        }
        StringBuilder name = new StringBuilder();
        int at = 0;
        while (at < identifier.length()) {
            int open = identifier.indexOf("__", at);
            int word = open + 2;
            int close = open < 0 ? -1 : identifier.indexOf('_', word);
            if (close <= word || !identifier.startsWith("__", close)) {
                if (open >= 0 && close == word) {
                    name.append(identifier, at, word);
                    at = word;
                    continue;
                }
                return Optional.of(name.append(identifier.substring(at)).toString());
            }
            String meaning = meaning(identifier.substring(word, close), open == 0 && close + 2 == identifier.length());
            if (meaning.isEmpty()) {
                return Optional.empty();
            }
            name.append(identifier, at, open).append(meaning);
            at = close + 2;
        }
        return Optional.of(name.toString());
    }

    private static String meaning(String word, boolean whole) {
        return switch (word) {
            case "underscores" -> "__";
            case "dot" -> ".";
            case "dash" -> "-";
            case "slash" -> "/";
            default -> whole && RESERVED.contains(word) ? word : "";
        };
    }
}
