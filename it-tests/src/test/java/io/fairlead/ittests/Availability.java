package io.fairlead.ittests;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.regex.Pattern;

/**
 * What the condition Available of an APIService says, without the address of the backend and without the words in which an HTTP
 * client tells why it got no answer; all empty if there is no such condition.
 */
record Availability(String status, String reason, String message) {
    private static final Availability UNSAID = new Availability("", "", "");
    private static final Pattern ADDRESS = Pattern.compile("https://[\\d.]+:\\d+");
    private static final Pattern ERROR = Pattern.compile("(failing or missing response from /\\S+): .*");

    static Availability of(JsonObject apiService) {
        JsonObject status = apiService.getAsJsonObject("status");
        if (status == null || status.get("conditions") == null) {
            return UNSAID;
        }
        for (JsonElement each : status.getAsJsonArray("conditions")) {
            JsonObject condition = each.getAsJsonObject();
            if (text(condition, "type").equals("Available")) {
                return new Availability(
                        text(condition, "status"), text(condition, "reason"), normalised(text(condition, "message")));
            }
        }
        return UNSAID;
    }

    static Availability passed() {
        return new Availability("True", "Passed", "all checks passed");
    }

    /** Why nothing is asked yet. */
    static Availability not(String reason, String message) {
        return new Availability("False", reason, message);
    }

    /** The backend of a group's version gave no answer, or not the right one. */
    static Availability failedCheck(String groupVersion, String cause) {
        String path = "/apis/" + groupVersion;
        return not("FailedDiscoveryCheck", "failing or missing response from " + path + ": " + cause);
    }

    /** The same, with a cause that each client tells in its own words. */
    static Availability noAnswer(String groupVersion) {
        return failedCheck(groupVersion, "<error>");
    }

    private static String normalised(String message) {
        String text = ADDRESS.matcher(message).replaceAll("");
        return text.contains(": bad status from ") ? text : ERROR.matcher(text).replaceAll("$1: <error>");
    }

    private static String text(JsonObject object, String key) {
        return object.has(key) ? object.get(key).getAsString() : "";
    }
}
