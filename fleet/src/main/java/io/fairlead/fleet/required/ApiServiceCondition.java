package io.fairlead.fleet.required;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.root.Condition;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** What a cluster says of an APIService of its own, in its aggregation layer's words. */
public final class ApiServiceCondition {
    private static final int MESSAGE_CHARS_MAX = 512;
    private static final Pattern REASON = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,127}");

    private ApiServiceCondition() {}

    /** The condition Available of an APIService; false if there is none, and cut if it is long. */
    public static Finding available(JsonNode apiService) {
        JsonNode condition = Condition.in(apiService.path("status"), Condition.AVAILABLE);
        String reason = condition.path("reason").asString("");
        String message = condition.path("message").asString("the cluster has not said so yet");
        return new Finding(
                condition.path("status").asString("").equals("True") ? Finding.Status.TRUE : Finding.Status.FALSE,
                REASON.matcher(reason).matches() ? reason : "AvailabilityUnknown",
                message.substring(0, Math.min(message.length(), MESSAGE_CHARS_MAX)));
    }
}
