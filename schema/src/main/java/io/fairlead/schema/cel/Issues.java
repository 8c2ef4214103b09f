package io.fairlead.schema.cel;

import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationResult;
import java.util.List;

/** Problems of an expression, in cel-go's words where cel-java has others. */
final class Issues {
    private static final int SHOWN_MAX = 100;

    /** Each shows the line that it is in. */
    private static final int SHOWN_CHARS_MAX = 16 * 1024;

    private Issues() {}

    static String ofParser(String text, CelValidationResult result) {
        return text(text, result, true);
    }

    static String ofChecker(String text, CelValidationResult result) {
        return text(text, result, false);
    }

    private static String text(String text, CelValidationResult result, boolean syntax) {
        StringBuilder shown = new StringBuilder();
        for (CelIssue issue : result.getErrors().stream().limit(SHOWN_MAX).toList()) {
            if (shown.length() > SHOWN_CHARS_MAX) {
                break;
            }
            shown.append(shown.isEmpty() ? "" : "\n")
                    .append(line(text, issue.getSourceLocation(), message(issue, syntax)));
        }
        return shown.toString();
    }

    private static String message(CelIssue issue, boolean syntax) {
        String message = issue.getMessage();
        int candidates = message.indexOf(" (candidates: ");
        if (candidates >= 0) {
            return message.substring(0, candidates);
        }
        boolean antlr = message.startsWith("mismatched input")
                || message.startsWith("token recognition")
                || message.startsWith("extraneous input")
                || message.startsWith("missing ")
                || message.startsWith("no viable alternative");
        return syntax && antlr ? "Syntax error: " + message : message;
    }

    /** An issue with the line it is in, and a mark at its column, which counts from 0 and is shown from 1. */
    static String line(String text, CelSourceLocation location, String message) {
        List<String> lines = text.lines().toList();
        int line = location.getLine();
        int column = location.getColumn();
        String head = "ERROR: <input>:" + line + ":" + (column + 1) + ": " + message;
        if (line < 1 || line > lines.size() || column < 0) {
            return head;
        }
        return head + "\n | " + lines.get(line - 1).replace('\t', ' ') + "\n | " + ".".repeat(column) + "^";
    }
}
