package io.fairlead.hosted.meta;

import io.fairlead.model.Status;
import io.fairlead.schema.json.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The {@code v1 Status} as an object. */
public final class StatusObjects {
    private StatusObjects() {}

    public static ObjectNode failure(Status status) {
        ObjectNode object = head("Failure");
        object.put("message", status.message());
        if (!status.reason().isEmpty()) {
            object.put("reason", status.reason());
        }
        Status.Details details = status.details();
        if (details != null) {
            object.set("details", details(details));
        }
        return object.put("code", status.code());
    }

    /** That something was done. */
    public static ObjectNode success() {
        return head("Success");
    }

    /** The answer of a deletion that removed the object. */
    public static ObjectNode success(String group, String resource, String name, String uid) {
        ObjectNode object = head("Success");
        object.set("details", details(new Status.Details(name, group, resource, uid, List.of(), 0)));
        return object;
    }

    private static ObjectNode head(String status) {
        ObjectNode object = Json.object();
        object.put("kind", "Status").put("apiVersion", "v1");
        object.putObject("metadata");
        return object.put("status", status);
    }

    private static ObjectNode details(Status.Details details) {
        ObjectNode object = Json.object();
        putUnlessEmpty(object, "name", details.name());
        putUnlessEmpty(object, "group", details.group());
        putUnlessEmpty(object, "kind", details.kind());
        putUnlessEmpty(object, "uid", details.uid());
        if (!details.causes().isEmpty()) {
            ArrayNode causes = object.putArray("causes");
            details.causes().forEach(cause -> causes.add(cause(cause)));
        }
        if (details.retryAfterSeconds() > 0) {
            object.put("retryAfterSeconds", details.retryAfterSeconds());
        }
        return object;
    }

    private static ObjectNode cause(Status.Cause cause) {
        ObjectNode object = Json.object();
        putUnlessEmpty(object, "reason", cause.reason());
        putUnlessEmpty(object, "message", cause.message());
        putUnlessEmpty(object, "field", cause.field());
        return object;
    }

    private static void putUnlessEmpty(ObjectNode object, String member, String value) {
        if (!value.isEmpty()) {
            object.put(member, value);
        }
    }
}
