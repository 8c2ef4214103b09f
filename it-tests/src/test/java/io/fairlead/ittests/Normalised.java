package io.fairlead.ittests;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Output in which only that is replaced which must differ when the same objects are made twice or the server is reached
 * by another URL: the server's URL, uids, resource versions, times and what is derived from them.
 *
 * @param text the output with placeholders in those places
 */
record Normalised(String text) {
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z";
    private static final Map<Pattern, String> REPLACEMENTS = replacements();

    static Normalised of(String text, String serverUrl) {
        String result = text.replace(serverUrl, "<server>");
        for (Map.Entry<Pattern, String> replacement : REPLACEMENTS.entrySet()) {
            result = replacement.getKey().matcher(result).replaceAll(replacement.getValue());
        }
        return new Normalised(result);
    }

    private static Map<Pattern, String> replacements() {
        var all = new LinkedHashMap<Pattern, String>();
        // uids, Audit-Ids
        all.put(Pattern.compile("\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b"), "<uid>");
        // 2026-01-02T03:04:05Z, and as describe writes it
        all.put(Pattern.compile(TIME), "<time>");
        all.put(
                Pattern.compile("\\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d\\d \\w{3} \\d{4} [\\d:]{8} [+-]\\d{4}"),
                "<time>");
        // YAML, JSON and the text of conflicts
        all.put(Pattern.compile("(resourceVersion\"?: ?\\\\?\"?)\\d+"), "$1<rv>");
        all.put(Pattern.compile("(Resource Version: +)\\d+"), "$1<rv>");
        // The AGE column of tables and what it does to the columns beside it.
        all.put(Pattern.compile("(?m)(?<=\\s)(<unknown>|(\\d+[smhdy]){1,2})(?=\\s|$)"), "<age>");
        all.put(Pattern.compile("(?<=\\S) {2,}(?=\\S)"), "  ");
        all.put(Pattern.compile("(?m) +$"), "");
        return all;
    }
}
