package io.fairlead.cli.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.schema.digest.CanonicalType;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The text of a lock file: JSON that pins the types of clusters and packages by digest, and holds the canonical form of each
 * distinct definition once, so that a difference can be named and a change can be reviewed.
 *
 * <p>Equal types make equal texts: everything is sorted.
 */
final class TypeLock {
    static final String API_VERSION = "types.fairlead.io/v1alpha1";
    static final String KIND = "TypeLock";

    private final Map<String, CanonicalType> definitions = new TreeMap<>();

    private TypeLock() {}

    /** What a lock pins. */
    record Pinned(List<LockedTypes> clusters, List<LockedTypes> packages) {
        /** Whether the lock pins nothing. */
        boolean isEmpty() {
            return clusters.isEmpty() && packages.isEmpty();
        }
    }

    /** The document that pins these. */
    static ObjectNode write(Pinned pinned) {
        TypeLock lock = new TypeLock();
        ObjectNode document = Json.object().put("apiVersion", API_VERSION).put("kind", KIND);
        ArrayNode clusters = document.putArray("clusters");
        for (LockedTypes cluster : pinned.clusters()) {
            lock.write(cluster, clusters.addObject().put("name", cluster.name()));
        }
        ArrayNode packages = document.putArray("packages");
        for (LockedTypes source : pinned.packages()) {
            ObjectNode entry = packages.addObject().put("source", source.name()).put("digest", source.digest());
            entry.setAll(source.about());
            lock.write(source, entry);
        }
        ObjectNode definitions = document.putObject("definitions");
        lock.definitions.forEach((digest, type) ->
                definitions.set(digest, Json.readExact(type.bytes()).root()));
        return document;
    }

    private void write(LockedTypes holder, ObjectNode into) {
        ArrayNode types = into.putArray("types");
        holder.types().forEach((name, type) -> {
            definitions.put(type.digest().text(), type);
            types.add(entry(name, type));
        });
        ArrayNode undetermined = into.putArray("undetermined");
        holder.undetermined()
                .forEach((name, why) ->
                        undetermined.addObject().put("type", name).put("why", why));
    }

    private static ObjectNode entry(String name, CanonicalType type) {
        ObjectNode entry =
                Json.object().put("type", name).put("api", type.digest().text());
        ArrayNode versions = entry.putArray("versions");
        for (JsonNode version : type.api().path("versions").values()) {
            ObjectNode each = versions.addObject();
            each.set("name", version.path("name"));
            each.set("schema", version.path("schema"));
        }
        return entry;
    }

    /**
     * Parses a lock.
     *
     * @throws UnreadableDocumentException naming the problem: another version of the format, a digest that is not that
     *     of the definition
     */
    static Pinned read(byte[] text) {
        Document document = Json.readExact(text);
        document.duplicates().stream().findFirst().ifPresent(duplicate -> {
            throw new UnreadableDocumentException(duplicate.message() + " (expected every field once)");
        });
        JsonNode root = document.root();
        require(root, "apiVersion", API_VERSION);
        require(root, "kind", KIND);
        TypeLock lock = new TypeLock();
        lock.readDefinitions(root.path("definitions"));
        Pinned pinned =
                new Pinned(lock.readHolders(root, "clusters", "name"), lock.readHolders(root, "packages", "source"));
        if (pinned.isEmpty()) {
            throw new UnreadableDocumentException("the lock pins nothing (expected a cluster or a package)");
        }
        return pinned;
    }

    private static void require(JsonNode root, String field, String expected) {
        String found = root.path(field).asString("");
        if (!found.equals(expected)) {
            throw new UnreadableDocumentException(field + " \"" + found + "\" (expected " + expected + ")");
        }
    }

    private void readDefinitions(JsonNode listed) {
        for (Map.Entry<String, JsonNode> definition : listed.properties()) {
            CanonicalType type =
                    CanonicalType.read(definition.getValue().toString().getBytes(UTF_8));
            String found = type.digest().text();
            if (!found.equals(definition.getKey())) {
                throw new UnreadableDocumentException("definitions: the digest of a definition is " + found
                        + " (expected " + definition.getKey() + ")");
            }
            definitions.put(found, type);
        }
    }

    private List<LockedTypes> readHolders(JsonNode root, String field, String nameField) {
        JsonNode listed = root.path(field);
        if (!listed.isArray()) {
            throw new UnreadableDocumentException(field + " (expected a list)");
        }
        List<LockedTypes> holders = new ArrayList<>();
        for (JsonNode holder : listed.values()) {
            String name = holder.path(nameField).asString("");
            String path = field + "[" + holders.size() + "]";
            if (name.isEmpty() || !holder.path("types").isArray()) {
                throw new UnreadableDocumentException(path + " (expected " + nameField + " and types)");
            }
            holders.add(new LockedTypes(
                    name,
                    holder.path("digest").asString(""),
                    Json.object(),
                    types(holder, path),
                    undetermined(holder, path)));
        }
        return holders;
    }

    private Map<String, CanonicalType> types(JsonNode holder, String path) {
        Map<String, CanonicalType> types = new TreeMap<>();
        for (JsonNode entry : holder.path("types").values()) {
            String digest = entry.path("api").asString("");
            CanonicalType type = definitions.get(digest);
            String name = entry.path("type").asString("");
            if (type == null) {
                throw new UnreadableDocumentException(path + ": " + name + " is \"" + digest
                        + "\" (expected the digest of a definition of the lock)");
            }
            if (!entry.equals(entry(type.toString(), type))) {
                throw new UnreadableDocumentException(
                        path + ": " + name + " is not what its definition says (" + type.toString() + ")");
            }
            types.put(name, type);
        }
        return types;
    }

    private static Map<String, String> undetermined(JsonNode holder, String path) {
        JsonNode listed = holder.path("undetermined");
        if (!listed.isArray()) {
            throw new UnreadableDocumentException(path + ".undetermined (expected a list)");
        }
        Map<String, String> undetermined = new TreeMap<>();
        for (JsonNode entry : listed.values()) {
            if (!entry.path("type").isString() || !entry.path("why").isString()) {
                throw new UnreadableDocumentException(
                        path + ".undetermined[" + undetermined.size() + "] (expected type and why)");
            }
            if (undetermined.put(
                            entry.path("type").stringValue(), entry.path("why").stringValue())
                    != null) {
                throw new UnreadableDocumentException(path + ".undetermined: "
                        + entry.path("type").stringValue() + " is there twice (expected once)");
            }
        }
        return undetermined;
    }
}
