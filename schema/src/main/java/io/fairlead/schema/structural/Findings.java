package io.fairlead.schema.structural;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of validating one value against one schema.
 *
 * <p>The matches count the checks that were made, as kube-openapi counts them: of alternatives that all fail, the one
 * with the most matches is reported.
 */
final class Findings {
    /** How many findings are kept; an object with more is not described better by all of them. */
    static final int KEPT_MAX = 1_000;

    /**
     * The most characters of all messages together, except the last: each may name all values of a long {@code enum}.
     */
    static final int KEPT_CHARS_MAX = 256 * 1024;

    private final Map<String, Finding> byMessage = new LinkedHashMap<>();
    private long chars;
    private int matches;

    void add(@Nullable Finding finding) {
        if (finding != null && byMessage.size() < KEPT_MAX && chars < KEPT_CHARS_MAX) {
            String message = finding.message();
            if (byMessage.putIfAbsent(message, finding) == null) {
                chars += message.length();
            }
        }
    }

    void matched() {
        matches++;
    }

    int matches() {
        return matches;
    }

    boolean isEmpty() {
        return byMessage.isEmpty();
    }

    /** Takes over what another result found and how much it matched. */
    void merge(Findings other) {
        other.byMessage.values().forEach(this::add);
        matches += other.matches;
    }

    /** Forgets what was found but not how much matched: the value was like that before. */
    void forgive() {
        byMessage.clear();
        chars = 0;
    }

    void addTo(FieldErrors errors, FieldPath base) {
        byMessage.values().forEach(finding -> finding.addTo(errors, base));
    }
}
