package io.fairlead.ittests;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All that publications have in one target at a moment, by kind and name.
 *
 * @param wanted what was asked for: names, labels and specs, without what the target itself decides
 * @param uids the uid of each
 * @param available the APIServices of which the target says that they are available
 */
record PublishedObjects(SortedMap<String, JsonElement> wanted, Map<String, String> uids, Set<String> available) {
    /** What Fairlead touches to have a target check a backend that was away. */
    private static final String CHECKED_AGAIN = "fairlead.io/checked-again-since";

    private static final String PUBLICATION_UID = "fairlead.io/publication-uid";

    /**
     * Reads them.
     *
     * @param publications the names of the publications by their uids, which differ from one creation to the next
     */
    static PublishedObjects read(Kubectl target, Map<String, String> publications) {
        JsonArray items = JsonParser.parseString(target.succeed(
                        "get",
                        "apiservices,services,endpointslices,endpoints",
                        "-A",
                        "-l",
                        "fairlead.io/installation",
                        "-o",
                        "json"))
                .getAsJsonObject()
                .getAsJsonArray("items");
        var wanted = new TreeMap<String, JsonElement>();
        var uids = new TreeMap<String, String>();
        var available = new TreeSet<String>();
        for (JsonElement item : items) {
            JsonObject object = item.getAsJsonObject();
            JsonObject metadata = object.getAsJsonObject("metadata");
            String key = object.get("kind").getAsString() + "/"
                    + metadata.get("name").getAsString();
            uids.put(key, metadata.get("uid").getAsString());
            if (object.has("status") && isAvailable(object.getAsJsonObject("status"))) {
                available.add(metadata.get("name").getAsString());
            }
            wanted.put(key, asked(object, publications));
        }
        return new PublishedObjects(wanted, uids, available);
    }

    /** The key of an APIService. */
    static String apiService(PublishedGroup group) {
        return "APIService/" + group.apiService();
    }

    /** The key of the Service of a source. */
    static String service(String source) {
        return "Service/" + source;
    }

    /** The key of its EndpointSlice. */
    static String slice(String source) {
        return "EndpointSlice/" + source + "-fairlead";
    }

    /** Whether a status says so. */
    static boolean isAvailable(JsonObject status) {
        JsonArray conditions = status.getAsJsonArray("conditions");
        return conditions != null
                && conditions.asList().stream()
                        .map(JsonElement::getAsJsonObject)
                        .anyMatch(
                                condition -> condition.get("type").getAsString().equals("Available")
                                        && condition.get("status").getAsString().equals("True"));
    }

    private static JsonObject asked(JsonObject object, Map<String, String> publications) {
        JsonObject asked = object.deepCopy();
        asked.remove("status");
        JsonObject metadata = asked.getAsJsonObject("metadata");
        for (String own : Set.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields")) {
            metadata.remove(own);
        }
        JsonObject annotations = metadata.getAsJsonObject("annotations");
        if (annotations != null) {
            annotations.remove(CHECKED_AGAIN);
            if (annotations.isEmpty()) {
                metadata.remove("annotations");
            }
        }
        JsonObject labels = metadata.getAsJsonObject("labels");
        if (labels.has(PUBLICATION_UID)) {
            String uid = labels.get(PUBLICATION_UID).getAsString();
            labels.addProperty(PUBLICATION_UID, publications.getOrDefault(uid, uid));
        }
        JsonObject spec = asked.getAsJsonObject("spec");
        if (spec != null) {
            spec.remove("clusterIP");
            spec.remove("clusterIPs");
        }
        return asked;
    }
}
