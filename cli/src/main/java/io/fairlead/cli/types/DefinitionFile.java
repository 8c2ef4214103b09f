package io.fairlead.cli.types;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.model.FileFault;
import io.fairlead.model.Visible;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
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
    private static final int BYTES_MAX = 64 * 1024 * 1024;
    private static final String LIST = "List";

    private final Path path;
    private final List<DefinitionDigests> found = new ArrayList<>();

    private DefinitionFile(Path path) {
        this.path = path;
    }

    /** Its definitions, in their order; at least one. */
    static List<DefinitionDigests> read(Path path) throws CommandFailure {
        List<DefinitionDigests> found = readAny(path);
        if (found.isEmpty()) {
            throw new DefinitionFile(path).failure("no CustomResourceDefinition in it (expected at least one)");
        }
        return found;
    }

    /** The same for a file that may have none. */
    static List<DefinitionDigests> readAny(Path path) throws CommandFailure {
        DefinitionFile file = new DefinitionFile(path);
        try {
            for (Document document : documents(file.bytes())) {
                file.add(document);
            }
        } catch (UnreadableDocumentException e) {
            throw file.failure(e.getMessage());
        }
        return file.found;
    }

    private byte[] bytes() throws CommandFailure {
        try {
            if (isStandardInput()) {
                return standardInput();
            }
            long size = Files.size(path);
            if (size > BYTES_MAX) {
                throw failure(size + " bytes (expected at most " + BYTES_MAX + ")");
            }
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw failure(FileFault.of(e));
        }
    }

    /** As in kubectl; a file of this name is {@code ./-}. */
    private boolean isStandardInput() {
        return path.toString().equals("-");
    }

    /** Not closed: the process owns it. */
    private byte[] standardInput() throws IOException, CommandFailure {
        byte[] bytes = System.in.readNBytes(BYTES_MAX + 1);
        if (bytes.length > BYTES_MAX) {
            throw failure("more than " + BYTES_MAX + " bytes (expected at most as many)");
        }
        return bytes;
    }

    /** A text that begins like an object is JSON, as in kubectl. */
    private static List<Document> documents(byte[] text) {
        for (byte b : text) {
            if (!Character.isWhitespace(b)) {
                return b == '{' ? List.of(Json.readExact(text)) : Yaml.readAllExact(text);
            }
        }
        return List.of();
    }

    private void add(Document document) {
        document.duplicates().stream().findFirst().ifPresent(duplicate -> {
            throw new UnreadableDocumentException(duplicate.message() + " (expected every field once)");
        });
        add(document.root());
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

    private CommandFailure failure(String problem) {
        return CommandFailure.of(Visible.printable((isStandardInput() ? "standard input" : path) + ": " + problem))
                .withExitCode(ExitCodes.FAILED);
    }
}
