package io.fairlead.hosted.verbs;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The texts of one answer's {@code Warning} headers (RFC 9111 section 5.5, code 299), each once.
 *
 * <p>Beyond 4096 characters in total, each further text is cut to 256, as in kube-apiserver; texts beyond
 * {@value #TEXTS_MAX} are dropped. Belongs to one thread.
 */
public final class Warnings {
    private static final int TEXTS_MAX = 100;
    private static final int CHARS_MAX = 4096;
    private static final int CHARS_MAX_BEYOND = 256;

    private final Set<String> texts = new LinkedHashSet<>();
    private int chars;

    /** Adds a text, or as much of it as there is room for. */
    public void add(String text) {
        String cut = chars + text.length() > CHARS_MAX && text.length() > CHARS_MAX_BEYOND
                ? text.substring(0, CHARS_MAX_BEYOND)
                : text;
        if (texts.size() < TEXTS_MAX && texts.add(cut)) {
            chars += cut.length();
        }
    }

    void addIfAny(@Nullable String text) {
        if (text != null) {
            add(text);
        }
    }

    boolean isEmpty() {
        return texts.isEmpty();
    }

    /** The header with all texts; empty if there are none. */
    public Map<String, List<String>> headers() {
        return texts.isEmpty()
                ? Map.of()
                : Map.of("Warning", texts.stream().map(Warnings::header).toList());
    }

    private static String header(String text) {
        StringBuilder quoted = new StringBuilder("299 - \"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\');
            }
            quoted.append(c < ' ' ? ' ' : c);
        }
        return quoted.append('"').toString();
    }
}
