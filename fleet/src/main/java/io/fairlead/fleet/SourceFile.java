package io.fairlead.fleet;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The annotation that names the file of {@code --clusters-dir} with an object's declaration. */
public final class SourceFile {
    public static final String ANNOTATION = "fairlead.io/source-file";

    private SourceFile() {}

    /** The file that declares an object, if there is one. */
    static Optional<String> of(JsonNode object) {
        return Optional.of(annotation(object).asString("")).filter(file -> !file.isEmpty());
    }

    /** The annotation's value; missing where there is none. */
    public static JsonNode annotation(JsonNode object) {
        return object.path("metadata").path("annotations").path(ANNOTATION);
    }
}
