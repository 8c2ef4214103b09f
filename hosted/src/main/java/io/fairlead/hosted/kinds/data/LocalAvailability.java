package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.meta.Conditions;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/** Of an APIService that names no service: the API is the API server's own (kube-aggregator {@code controllers/status/local}). */
public final class LocalAvailability {
    private LocalAvailability() {}

    /** Has it say that it is available. */
    public static void show(ObjectNode apiService, Instant now) {
        new Conditions(apiService, now).set("Available", true, "Local", "Local APIServices are always available");
    }
}
