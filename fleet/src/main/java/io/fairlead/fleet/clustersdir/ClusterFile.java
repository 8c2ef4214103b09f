package io.fairlead.fleet.clustersdir;

import io.fairlead.fleet.root.RootApi;
import io.fairlead.model.ClusterName;
import io.fairlead.model.FileFault;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The declarations of one file: {@code Cluster} objects, and Secrets with their credentials.
 *
 * @param name the file's name in its folder
 * @param objects as declared; a Secret without a namespace gets the default one
 */
record ClusterFile(String name, List<ObjectNode> objects) {
    static final int BYTES_MAX = 1024 * 1024;

    ClusterFile {
        objects = List.copyOf(objects);
    }

    /** Parses a file; an empty one is refused, since an editor empties a file before it writes it. */
    static ClusterFile read(Path file) throws UnusableException {
        List<ObjectNode> objects = new ArrayList<>();
        Set<DeclaredObjects.Key> keys = new HashSet<>();
        for (Document document : documents(file)) {
            ObjectNode object = checked(document);
            if (!keys.add(DeclaredObjects.Key.of(object))) {
                throw new UnusableException("declares " + DeclaredObjects.Key.of(object) + " twice");
            }
            objects.add(object);
        }
        if (objects.isEmpty()) {
            throw new UnusableException("holds no object (expected at least one Cluster or Secret)");
        }
        return new ClusterFile(file.getFileName().toString(), objects);
    }

    private static List<Document> documents(Path file) throws UnusableException {
        try {
            long size = Files.size(file);
            if (size > BYTES_MAX) {
                throw new UnusableException("has " + size + " bytes (expected at most " + BYTES_MAX + ")");
            }
            return Yaml.readAll(Files.readAllBytes(file));
        } catch (UnreadableDocumentException notYaml) {
            throw new UnusableException(notYaml.getMessage());
        } catch (IOException unreadable) {
            throw new UnusableException("cannot be read (" + FileFault.of(unreadable) + ")");
        }
    }

    private static ObjectNode checked(Document document) throws UnusableException {
        if (!document.duplicates().isEmpty()) {
            throw new UnusableException(
                    "has a key twice: " + document.duplicates().getFirst());
        }
        if (!(document.root() instanceof ObjectNode object)) {
            throw new UnusableException("holds a document that is not an object (expected a Cluster or a Secret)");
        }
        String kind = text(object, "apiVersion") + " " + text(object, "kind");
        switch (kind) {
            case "fairlead.io/v1alpha1 Cluster" -> checkCluster(object);
            case "v1 Secret" -> checkSecret(object);
            default ->
                throw new UnusableException(
                        "holds \"" + kind + "\" (expected fairlead.io/v1alpha1 Cluster, or v1 Secret)");
        }
        return object;
    }

    private static void checkCluster(ObjectNode cluster) throws UnusableException {
        String name = text(cluster.path("metadata"), "name");
        if (!ClusterName.isValid(name)) {
            throw new UnusableException("holds a Cluster named \"" + name + "\" (expected a DNS-1123 label)");
        }
    }

    private static void checkSecret(ObjectNode secret) throws UnusableException {
        String name = text(secret.path("metadata"), "name");
        if (name.isEmpty()) {
            throw new UnusableException("holds a Secret without a name");
        }
        ObjectNode metadata = (ObjectNode) secret.path("metadata");
        String namespace = text(metadata, "namespace");
        if (!namespace.isEmpty() && !namespace.equals(RootApi.SYSTEM_NAMESPACE)) {
            throw new UnusableException("holds Secret \"" + name + "\" of namespace \"" + namespace + "\" (expected "
                    + RootApi.SYSTEM_NAMESPACE + ")");
        }
        metadata.put("namespace", RootApi.SYSTEM_NAMESPACE);
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asString("");
    }

    /** A file that changes nothing; the message is the reason. */
    static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message, null, false, false);
        }

        String problem() {
            return String.valueOf(getMessage());
        }
    }
}
