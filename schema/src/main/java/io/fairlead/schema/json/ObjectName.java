package io.fairlead.schema.json;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * The name of an object in JSON, and whether it is being deleted, read without making its tree, whose size its writer chooses.
 *
 * @param name what {@code metadata.name} is, empty if there is none
 * @param namespace what {@code metadata.namespace} is, empty if there is none
 * @param isTerminating whether there is a {@code metadata.deletionTimestamp}
 */
public record ObjectName(String name, String namespace, boolean isTerminating) {
    /**
     * The name in a text.
     *
     * @throws UnreadableDocumentException if it is not one JSON object, or deeper than {@link Json#DEPTH_MAX}
     */
    public static ObjectName of(byte[] utf8) {
        try (JsonParser parser = JsonReader.FACTORY.createParser(ObjectReadContext.empty(), utf8)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new UnreadableDocumentException("invalid JSON: an object was expected");
            }
            ObjectName found = new ObjectName("", "", false);
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isMetadata = parser.currentName().equals("metadata");
                if (parser.nextToken() == JsonToken.START_OBJECT && isMetadata) {
                    found = ofMetadata(parser);
                } else {
                    skip(parser);
                }
            }
            if (parser.nextToken() != null) {
                throw new UnreadableDocumentException("invalid JSON: something follows the object");
            }
            return found;
        } catch (JacksonException e) {
            throw new UnreadableDocumentException("invalid JSON: " + e.getOriginalMessage());
        }
    }

    private static ObjectName ofMetadata(JsonParser parser) {
        String name = "";
        String namespace = "";
        boolean isTerminating = false;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String member = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_STRING) {
                skip(parser);
            } else if (member.equals("name")) {
                name = parser.getString();
            } else if (member.equals("namespace")) {
                namespace = parser.getString();
            } else if (member.equals("deletionTimestamp")) {
                isTerminating = true;
            }
        }
        return new ObjectName(name, namespace, isTerminating);
    }

    /** Each token is read, so that a text that is malformed within is none. */
    private static void skip(JsonParser parser) {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            parser.getString();
        } else {
            parser.skipChildren();
        }
    }
}
