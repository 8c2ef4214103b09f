package io.fairlead.cli.server;

import io.fairlead.model.FileFault;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.DuplicateField;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A file with objects in YAML or JSON, as {@code kubectl -f} reads one.
 *
 * @param path {@code -} is the standard input, as in kubectl; a file of this name is {@code ./-}
 */
public record DocumentFile(Path path) {
    private static final int BYTES_MAX = 64 * 1024 * 1024;

    /** Its documents, in their order, each with every field once. */
    public List<JsonNode> documents() throws CommandFailure {
        List<JsonNode> roots = new ArrayList<>();
        try {
            for (Document document : read(bytes())) {
                Optional<DuplicateField> twice = document.duplicates().stream().findFirst();
                if (twice.isPresent()) {
                    throw failure(twice.get().message() + " (expected every field once)");
                }
                roots.add(document.root());
            }
        } catch (UnreadableDocumentException unreadable) {
            throw failure(unreadable.getMessage());
        }
        return roots;
    }

    /** A failure that names the file. */
    public CommandFailure failure(String problem) {
        return CommandFailure.of(Visible.printable((isStandardInput() ? "standard input" : path) + ": " + problem));
    }

    /** A text that begins like an object is JSON, as in kubectl. */
    private static List<Document> read(byte[] text) {
        for (byte b : text) {
            if (!Character.isWhitespace(b)) {
                return b == '{' ? List.of(Json.readExact(text)) : Yaml.readAllExact(text);
            }
        }
        return List.of();
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
}
