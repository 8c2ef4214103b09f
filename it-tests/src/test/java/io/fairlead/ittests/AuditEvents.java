package io.fairlead.ittests;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The lines of an audit log, Fairlead's or kube-apiserver's, by the ids of their requests. */
record AuditEvents(Map<String, List<JsonObject>> byId) {
    /** Those whose ids begin so; a last line that is not whole is left out. */
    static AuditEvents read(Path file, String prefix) {
        Map<String, List<JsonObject>> byId = new TreeMap<>();
        try (Stream<String> lines = Files.lines(file)) {
            lines.filter(line -> line.contains("\"auditID\":\"" + prefix) && line.endsWith("}"))
                    .map(line -> JsonParser.parseString(line).getAsJsonObject())
                    .forEach(line -> byId.computeIfAbsent(text(line, "auditID"), _ -> new ArrayList<>())
                            .add(line));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new AuditEvents(byId);
    }

    List<JsonObject> of(String id) {
        return byId.getOrDefault(id, List.of());
    }

    long count() {
        return byId.values().stream().mapToLong(List::size).sum();
    }

    /** A text below members, empty if it is not there. */
    static String text(JsonObject line, String... path) {
        JsonElement found = line;
        for (String name : path) {
            if (found == null || !found.isJsonObject()) {
                return "";
            }
            found = found.getAsJsonObject().get(name);
        }
        return found == null ? "" : found.getAsString();
    }

    /** An object below a line as it is written, without an order; empty if it is not there. */
    static String object(JsonObject line, String name) {
        JsonElement found = line.get(name);
        if (found == null) {
            return "";
        }
        Map<String, JsonElement> sorted = new TreeMap<>();
        found.getAsJsonObject().entrySet().forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return sorted.toString();
    }
}
