package io.fairlead.schema.json;

/**
 * A member that an object has more than once.
 *
 * @param path the member's path ({@code spec.list[0].name})
 * @param key its name
 * @param line where it occurs again, counted from 1
 */
public record DuplicateField(String path, String key, int line) {
    /** As field validation tells it for JSON: {@code duplicate field "spec.x"}. */
    public String message() {
        return "duplicate field \"" + path + "\"";
    }

    /** As field validation tells it for YAML: {@code line 11: key "foo" already set in map}. */
    public String yamlMessage() {
        return "line " + line + ": key \"" + key + "\" already set in map";
    }
}
