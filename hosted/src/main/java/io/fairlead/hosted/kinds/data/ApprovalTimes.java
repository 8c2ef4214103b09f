package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Meta;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says when conditions of a certificate signing request were written, where clients do not (kubernetes
 * {@code registry/certificates/certificates}, {@code populateConditionTimestamps}). Threads: any.
 */
public final class ApprovalTimes implements AdmissionHook {
    private static final String UPDATED = "lastUpdateTime";
    private static final String CHANGED = "lastTransitionTime";

    private final InstantSource clock;

    public ApprovalTimes(InstantSource clock) {
        this.clock = clock;
    }

    public static boolean areOf(ResourceType type) {
        return type.kind().equals("CertificateSigningRequest");
    }

    @Override
    public void admit(Review review) {
        ObjectNode request = review.object();
        ObjectNode old = review.old();
        if (request == null || old == null || review.subresource().isEmpty()) {
            return;
        }
        String now = Meta.time(clock.instant());
        Map<String, String> changes = new HashMap<>();
        for (JsonNode condition : old.at("/status/conditions")) {
            String changed = condition.path(CHANGED).asString("");
            changes.putIfAbsent(key(condition), changed.isEmpty() ? now : changed);
        }
        for (JsonNode condition : request.at("/status/conditions")) {
            if (condition instanceof ObjectNode written) {
                complete(written, changes.getOrDefault(key(written), now), now);
            }
        }
    }

    private static void complete(ObjectNode condition, String changed, String now) {
        if (!condition.path(UPDATED).isString()) {
            condition.put(UPDATED, now);
        }
        if (!condition.path(CHANGED).isString()) {
            condition.put(CHANGED, changed);
        }
    }

    private static String key(JsonNode condition) {
        return condition.path("status").asString("") + " "
                + condition.path("type").asString("");
    }
}
