package io.fairlead.hosted.serve;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.object.Causes;
import io.fairlead.hosted.object.Meta;
import io.fairlead.hosted.object.Refusals;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a request wants something deleted: {@code DeleteOptions} from the body, else from the query.
 *
 * @param options the preconditions and what becomes of dependents
 * @param dryRun whether nothing is to be deleted
 * @param cascading whether {@code orphanDependents=false} was given, which makes an unfinished deletion a 202
 */
record Deletion(DeleteOptions options, boolean dryRun, boolean cascading) {
    private static final String KIND = "DeleteOptions";

    static Deletion of(ApiRequest request, ServedResource resource, Bodies bodies) {
        ObjectNode options = request.body().length > 0
                ? checked(bodies.object(request, true).object(), resource)
                : fromQuery(request);
        Boolean orphan = orphanDependents(options);
        List<String> dryRun = new ArrayList<>(Meta.strings(options.path("dryRun")));
        dryRun.addAll(request.query().getOrDefault("dryRun", List.of()));
        JsonNode preconditions = options.path("preconditions");
        return new Deletion(
                new DeleteOptions(
                        preconditions.path("uid").asString(""),
                        preconditions.path("resourceVersion").asString(""),
                        propagation(options, orphan)),
                WriteOptions.dryRun(dryRun, KIND),
                orphan != null && !orphan);
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
        String policy = request.parameter("propagationPolicy");
        if (policy != null) {
            options.put("propagationPolicy", policy);
        }
        String orphan = request.parameter("orphanDependents");
        if (orphan != null) {
            options.put("orphanDependents", WatchOptions.isTrue(orphan));
        }
        return options;
    }

    private static @Nullable Boolean orphanDependents(ObjectNode options) {
        JsonNode orphan = options.path("orphanDependents");
        return orphan.isBoolean() ? (Boolean) orphan.booleanValue() : null;
    }

    private static Propagation propagation(ObjectNode options, @Nullable Boolean orphan) {
        String policy = options.path("propagationPolicy").asString("");
        boolean given = options.path("propagationPolicy").isString();
        if (orphan != null && given) {
            throw Refusals.invalidOptions(
                    KIND,
                    Causes.invalid(
                            "propagationPolicy",
                            policy,
                            "orphanDependents and deletionPropagation cannot be both set"));
        }
        if (orphan != null) {
            return orphan ? Propagation.ORPHAN : Propagation.BACKGROUND;
        }
        if (!given) {
            return Propagation.UNSAID;
        }
        return switch (policy) {
            case "Orphan" -> Propagation.ORPHAN;
            case "Background" -> Propagation.BACKGROUND;
            case "Foreground" -> Propagation.FOREGROUND;
            default -> throw Refusals.invalidOptions(KIND, unknownPolicy(policy));
        };
    }

    private static Status.Cause unknownPolicy(String policy) {
        FieldErrors errors = new FieldErrors();
        errors.notSupported(
                FieldPath.of("propagationPolicy"), policy, List.of("Foreground", "Background", "Orphan", "nil"));
        return Causes.of(errors).getFirst();
    }
}
