package io.fairlead.schema.json;

/**
 * A member that an object has more than once.
 *
 * @param path the member's path ({@code spec.list[0].name}), or its first {@value #PATH_CHARS_MAX} characters: it repeats the
 *     names of all members above, which may be as long as the document
 * @param key its name
 * @param line where it occurs again, counted from 1
 */
public record DuplicateField(String path, String key, int line) {
    private static final int PATH_CHARS_MAX = 10_000;

    public DuplicateField {
        path = path.length() <= PATH_CHARS_MAX ? path : path.substring(0, PATH_CHARS_MAX) + "…";
    }

    /** In field validation's words for JSON: {@code duplicate field "spec.x"}. */
    public String message() {
        return "duplicate field \"" + path + "\"";
    }

    /** In field validation's words for YAML: {@code line 11: key "foo" already set in map}. */
    public String yamlMessage() {
        return "line " + line + ": key \"" + key + "\" already set in map";
    }
}
