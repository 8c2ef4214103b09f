package io.fairlead.schema.json;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** JSON that stands beside a class, most of it written by {@link YamlResources}. */
public final class JsonResources {
    private JsonResources() {}

    /**
     * A resource of a class.
     *
     * @throws NullPointerException if there is none of that name
     */
    public static JsonNode read(Class<?> owner, String name) {
        try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(name), name)) {
            return Json.read(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
