package io.fairlead.gateway.audit;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.json.Yaml;
import io.fairlead.schema.protobuf.Protobuf;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a body says of its object (apiserver {@code LogRequestObject}); what it does not say is empty. */
record SentObject(String namespace, String name, String uid, String resourceVersion) {
    static final SentObject NONE = new SentObject("", "", "", "");

    /** Without limits of its own: the body has one, and what is written must be what the cluster reads. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW) // all bodies share a table of names
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .build())
            .build();

    private static final String MANAGED_FIELDS = "managedFields";

    /**
     * Reads the metadata of a body, of JSON without the rest of it.
     *
     * @param bytesMax a larger body of another format is not read
     */
    static SentObject in(String contentType, byte[] body, int bytesMax) {
        if (isJson(mediaType(contentType))) {
            return ofJson(body);
        }
        return body.length > bytesMax
                ? NONE
                : tree(contentType, body).map(SentObject::of).orElse(NONE);
    }

    /**
     * A body as a line has it.
     *
     * @return JSON without white space; null if it has more bytes, or is of a format that hosted clusters neither read nor
     *     write
     */
    static byte @Nullable [] recorded(String contentType, byte[] body, int bytesMax, boolean omitManagedFields) {
        if (body.length > bytesMax) {
            return null;
        }
        Optional<JsonNode> tree = tree(contentType, body);
        if (tree.isEmpty()) {
            return null;
        }
        if (omitManagedFields) {
            removeManagedFields(tree.get());
        }
        byte[] json = Json.write(tree.get());
        return json.length > bytesMax ? null : json;
    }

    private static SentObject of(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new SentObject(
                metadata.path("namespace").asString(""),
                metadata.path("name").asString(""),
                metadata.path("uid").asString(""),
                metadata.path("resourceVersion").asString(""));
    }

    private static SentObject ofJson(byte[] body) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return NONE;
            }
            SentObject last = NONE; // Of fields of one name the cluster takes the last.
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                JsonToken value = json.nextToken();
                if (!name.equals("metadata")) {
                    json.skipChildren();
                } else if (value == JsonToken.START_OBJECT) {
                    last = ofMetadata(json);
                } else {
                    json.skipChildren();
                    last = NONE;
                }
            }
            return last;
        } catch (JacksonException unreadable) {
            return NONE; // The cluster refuses it.
        }
    }

    private static SentObject ofMetadata(JsonParser json) {
        String namespace = "";
        String objectName = "";
        String uid = "";
        String resourceVersion = "";
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            boolean isText = json.nextToken() == JsonToken.VALUE_STRING;
            if (!isText) {
                json.skipChildren();
                continue;
            }
            switch (name) {
                case "namespace" -> namespace = json.getString();
                case "name" -> objectName = json.getString();
                case "uid" -> uid = json.getString();
                case "resourceVersion" -> resourceVersion = json.getString();
                default -> {}
            }
        }
        return new SentObject(namespace, objectName, uid, resourceVersion);
    }

    private static Optional<JsonNode> tree(String contentType, byte[] body) {
        String type = mediaType(contentType);
        try {
            if (isJson(type)) {
                return Optional.of(Json.read(body));
            }
            if (type.endsWith("yaml")) {
                return Optional.of(Yaml.readDocument(body).root());
            }
            return type.endsWith("protobuf") ? Optional.of(Protobuf.read(body)) : Optional.empty();
        } catch (UnreadableDocumentException unreadable) {
            return Optional.empty();
        }
    }

    /** Hosted clusters take a body for JSON if its type is not given; the types of patches in JSON end with it. */
    private static boolean isJson(String mediaType) {
        return mediaType.isEmpty() || mediaType.endsWith("json");
    }

    private static String mediaType(String contentType) {
        int semicolon = contentType.indexOf(';');
        return (semicolon < 0 ? contentType : contentType.substring(0, semicolon))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    /** Of an object, of the items of a list and of the rows of a table. */
    private static void removeManagedFields(JsonNode object) {
        removeFrom(object);
        object.path("items").values().forEach(SentObject::removeFrom);
        object.path("rows").values().forEach(row -> removeFrom(row.path("object")));
    }

    private static void removeFrom(JsonNode object) {
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(MANAGED_FIELDS);
        }
    }
}
