package io.fairlead.hosted.serve;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.object.Causes;
import io.fairlead.hosted.object.Meta;
import io.fairlead.hosted.object.Refusals;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a request wants something deleted: {@code DeleteOptions} from the body, else from the query.
 *
 * <p>There is no garbage collector yet, so the policies that need one are refused rather than half done.
 *
 * @param options the preconditions
 * @param dryRun whether nothing is to be deleted
 */
record Deletion(DeleteOptions options, boolean dryRun) {
    private static final String KIND = "DeleteOptions";

    static Deletion of(ApiRequest request, ServedResource resource, Bodies bodies) {
        ObjectNode options =
                request.body().length > 0 ? checked(bodies.object(request).object(), resource) : fromQuery(request);
        checkPolicy(options);
        List<String> dryRun = new ArrayList<>(Meta.strings(options.path("dryRun")));
        dryRun.addAll(request.query().getOrDefault("dryRun", List.of()));
        JsonNode preconditions = options.path("preconditions");
        return new Deletion(
                new DeleteOptions(
                        preconditions.path("uid").asString(""),
                        preconditions.path("resourceVersion").asString("")),
                WriteOptions.dryRun(dryRun, KIND));
    }

    private static ObjectNode checked(ObjectNode options, ServedResource resource) {
        String kind = options.path("kind").asString(KIND);
        String version = options.path("apiVersion").asString("v1");
        if (!kind.equals(KIND)) {
            throw Refusals.badRequest("the body of a deletion is a " + kind + " (expected " + KIND + ")");
        }
        if (!List.of("v1", "meta.k8s.io/v1", resource.type().groupVersion().apiVersion())
                .contains(version)) {
            throw Refusals.badRequest("the body of a deletion has apiVersion \"" + version
                    + "\" (expected v1, meta.k8s.io/v1 or the version of the resource)");
        }
        return options;
    }

    private static ObjectNode fromQuery(ApiRequest request) {
        ObjectNode options = Json.object();
        for (String name : List.of("propagationPolicy", "orphanDependents")) {
            String value = request.parameter(name);
            if (value != null) {
                options.put(name, value);
            }
        }
        return options;
    }

    private static void checkPolicy(ObjectNode options) {
        JsonNode orphan = options.path("orphanDependents");
        String policy = options.path("propagationPolicy").asString("");
        boolean orphanGiven = orphan.isBoolean() || orphan.isString();
        if (orphanGiven && !policy.isEmpty()) {
            throw Refusals.invalidOptions(
                    KIND,
                    Causes.invalid(
                            "propagationPolicy",
                            policy,
                            "orphanDependents and deletionPropagation cannot be both set"));
        }
        if (!policy.isEmpty() && !policy.equals("Background")) {
            throw Refusals.invalidOptions(
                    KIND, Causes.notSupported("propagationPolicy", policy, List.of("Background")));
        }
        if (orphan.asString("").equals("true") || orphan.asBoolean(false)) {
            throw Refusals.invalidOptions(KIND, Causes.notSupported("orphanDependents", "true", List.of("false")));
        }
    }
}
