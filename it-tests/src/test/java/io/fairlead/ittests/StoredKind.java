package io.fairlead.ittests;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/** The kinds that mixed writes are about: two built-in ones and a custom resource. Each holds texts by name in one of its fields. */
enum StoredKind {
    CONFIG_MAP("/api/v1/namespaces/default/configmaps", "v1", "ConfigMap", "data"),
    SECRET("/api/v1/namespaces/default/secrets", "v1", "Secret", "data") {
        @Override
        String encoded(String text) {
            return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        String decoded(String value) {
            return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
        }
    },
    BOAT("/apis/crash.example.com/v1/namespaces/default/boats", "crash.example.com/v1", "Boat", "spec");

    /** The texts that a boat may have. */
    static final String DEFINITION = """
        {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
         "metadata":{"name":"boats.crash.example.com"},
         "spec":{"group":"crash.example.com","scope":"Namespaced",
          "names":{"plural":"boats","singular":"boat","kind":"Boat"},
          "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",
           "properties":{"spec":{"type":"object","properties":{
            "stamp":{"type":"string"},"twin":{"type":"string"},"filler":{"type":"string"},"applied":{"type":"string"}
           }}}}}}]}}
        """;

    private final String collection;
    private final String apiVersion;
    private final String kindName;
    private final String field;

    StoredKind(String collection, String apiVersion, String kindName, String field) {
        this.collection = collection;
        this.apiVersion = apiVersion;
        this.kindName = kindName;
        this.field = field;
    }

    /** The path of its objects in a cluster. */
    String collection(String cluster) {
        return "/clusters/" + cluster + collection;
    }

    /** Whether it takes strategic merge patches. */
    boolean isBuiltIn() {
        return this != BOAT;
    }

    /** A whole object; one that must not have been changed since a revision, unless that is 0. */
    String object(String name, Map<String, String> content, long revision) {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", name);
        if (revision > 0) {
            metadata.addProperty("resourceVersion", "" + revision);
        }
        JsonObject object = changes(content);
        object.addProperty("apiVersion", apiVersion);
        object.addProperty("kind", kindName);
        object.add("metadata", metadata);
        return object.toString();
    }

    /** A merge patch that sets some texts. */
    String mergePatch(Map<String, String> content) {
        return changes(content).toString();
    }

    /** A JSON patch that replaces some texts if another one is as expected. */
    String jsonPatch(Map<String, String> content, String tested, String expected) {
        JsonArray steps = new JsonArray();
        steps.add(step("test", tested, expected));
        content.forEach((name, text) -> steps.add(step("replace", name, text)));
        return steps.toString();
    }

    /** The texts of an object. */
    Map<String, String> content(JsonObject object) {
        Map<String, String> content = new TreeMap<>();
        JsonElement texts = object.get(field);
        if (texts != null) {
            texts.getAsJsonObject()
                    .entrySet()
                    .forEach(each ->
                            content.put(each.getKey(), decoded(each.getValue().getAsString())));
        }
        return content;
    }

    String encoded(String text) {
        return text;
    }

    String decoded(String value) {
        return value;
    }

    private JsonObject changes(Map<String, String> content) {
        JsonObject texts = new JsonObject();
        content.forEach((name, text) -> texts.addProperty(name, encoded(text)));
        JsonObject changes = new JsonObject();
        changes.add(field, texts);
        return changes;
    }

    private JsonObject step(String operation, String name, String text) {
        JsonObject step = new JsonObject();
        step.addProperty("op", operation);
        step.addProperty("path", "/" + field + "/" + name);
        step.addProperty("value", encoded(text));
        return step;
    }
}
