package io.fairlead.ittests;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Map;

/**
 * An object as a list or an event of a watch showed it.
 *
 * @param revision its resourceVersion
 * @param content what a test wrote into it
 */
record SeenObject(String name, long revision, String uid, Map<String, String> content) {
    static SeenObject of(StoredKind kind, JsonObject object) {
        JsonObject metadata = object.getAsJsonObject("metadata");
        JsonElement uid = metadata.get("uid");
        return new SeenObject(
                metadata.get("name").getAsString(),
                metadata.get("resourceVersion").getAsLong(),
                uid == null ? "" : uid.getAsString(),
                kind.content(object));
    }

    /** An event of a watch. */
    record Event(EventType type, SeenObject object) {}

    /** What an event says of an object. */
    enum EventType {
        ADDED,
        MODIFIED,
        DELETED
    }
}
