package io.fairlead.cli.types;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.DocumentFile;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A file with CustomResourceDefinitions, as projects publish them: any number of documents and lists, also with other
 * objects.
 */
final class DefinitionFile {
    private static final String LIST = "List";

    private final List<DefinitionDigests> found = new ArrayList<>();

    private DefinitionFile() {}

    /** Its definitions, in their order; at least one. */
    static List<DefinitionDigests> read(Path path) throws CommandFailure {
        List<DefinitionDigests> found = readAny(path);
        if (found.isEmpty()) {
            throw new DocumentFile(path)
                    .failure("no CustomResourceDefinition in it (expected at least one)")
                    .withExitCode(ExitCodes.FAILED);
        }
        return found;
    }

    /** The same for a file that may have none. */
    static List<DefinitionDigests> readAny(Path path) throws CommandFailure {
        DefinitionFile definitions = new DefinitionFile();
        DocumentFile file = new DocumentFile(path);
        try {
            for (JsonNode document : file.documents()) {
                definitions.add(document);
            }
        } catch (UnreadableDocumentException e) {
            throw file.failure(e.getMessage()).withExitCode(ExitCodes.FAILED);
        } catch (CommandFailure unreadable) {
            throw unreadable.withExitCode(ExitCodes.FAILED);
        }
        return definitions.found;
    }

    private void add(JsonNode object) {
        String kind = object.path("kind").stringValue("");
        if (DefinitionDigests.isDefinition(object)) {
            String name = object.path("metadata").path("name").asString("");
            try {
                found.add(DefinitionDigests.of(object));
            } catch (UnreadableDocumentException e) {
                throw new UnreadableDocumentException("CustomResourceDefinition \"" + name + "\": " + e.getMessage());
            }
        } else if (kind.endsWith(LIST)) {
            object.path("items").values().forEach(item -> add(ofList(item, object)));
        }
    }

    /** API servers omit {@code kind} and {@code apiVersion} from the items of a list. */
    private static JsonNode ofList(JsonNode item, JsonNode list) {
        String kind = list.path("kind").stringValue();
        if (kind.equals(LIST) || !(item instanceof ObjectNode object) || item.has("kind") || item.has("apiVersion")) {
            return item;
        }
        ObjectNode typed = object.deepCopy();
        typed.set("apiVersion", list.path("apiVersion"));
        return typed.put("kind", kind.substring(0, kind.length() - LIST.length()));
    }
}
