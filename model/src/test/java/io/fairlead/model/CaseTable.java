package io.fairlead.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** A table of cases kept beside the tests: one a line, input and expectation apart by {@code " | "}. */
record CaseTable(List<Case> cases) {
    private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-f]{4})");

    /** One line of the table. */
    record Case(String input, String expected) {
        @Override
        public String toString() {
            return input;
        }

        /** The input with its {@code \}{@code u} escapes resolved, which keep the table readable. */
        String rawInput() {
            return unescaped(input);
        }
    }

    static CaseTable read(String resource) throws IOException {
        try (InputStream stream = Objects.requireNonNull(CaseTable.class.getResourceAsStream(resource), resource)) {
            return new CaseTable(new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(CaseTable::parse)
                    .toList());
        }
    }

    static String unescaped(String text) {
        return ESCAPE.matcher(text).replaceAll(match -> {
            char c = (char) Integer.parseInt(match.group(1), 16);
            return c == '\\' || c == '$' ? "\\" + c : String.valueOf(c);
        });
    }

    private static Case parse(String line) {
        int bar = line.indexOf(" | ");
        return new Case(line.substring(0, bar), line.substring(bar + 3));
    }
}
