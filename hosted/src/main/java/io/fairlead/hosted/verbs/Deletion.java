package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.DeleteOptions;
import io.fairlead.hosted.objects.Propagation;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The options of a deletion: {@code DeleteOptions} from the body, else from the query.
 *
 * @param options the preconditions and the propagation policy
 * @param dryRun whether nothing is to be deleted
 * @param cascading whether {@code orphanDependents=false} was given, which makes an unfinished deletion a 202
 */
record Deletion(DeleteOptions options, boolean dryRun, boolean cascading) {
    private static final String KIND = "DeleteOptions";
    private static final Map<String, Propagation> POLICIES = Map.of(
            "Orphan", Propagation.ORPHAN, "Background", Propagation.BACKGROUND, "Foreground", Propagation.FOREGROUND);
    private static final Struct TYPE = Objects.requireNonNull(ApiTypes.ofKind("v1", KIND));

    /**
     * Parses and validates them.
     *
     * @throws io.fairlead.model.StatusException 400 for invalid JSON types, 422 for invalid values
     */
    static Deletion of(ApiRequest request, Bodies bodies) {
        boolean isInBody = request.body().length > 0;
        ObjectNode options = isInBody ? decoded(bodies.options(request)) : fromQuery(request);
        List<String> dryRun = isInBody
                ? Meta.strings(options.path("dryRun"))
                : request.query().getOrDefault("dryRun", List.of());
        return of(options, dryRun);
    }

    /**
     * Those of an eviction.
     *
     * @param dryRun whether the request is one, whatever they say
     */
    static Deletion of(JsonNode options, boolean dryRun) {
        return of(options, dryRun ? List.of("All") : Meta.strings(options.path("dryRun")));
    }

    private static Deletion of(JsonNode options, List<String> dryRun) {
        List<Status.Cause> problems = new ArrayList<>(policyProblems(options));
        problems.addAll(WriteOptions.dryRunProblems(dryRun));
        if (!problems.isEmpty()) {
            throw Refusals.invalidOptions(KIND, problems);
        }
        JsonNode orphan = options.path("orphanDependents");
        JsonNode preconditions = options.path("preconditions");
        return new Deletion(
                new DeleteOptions(
                        text(preconditions, "uid"), text(preconditions, "resourceVersion"), propagation(options)),
                !dryRun.isEmpty(),
                orphan.isBoolean() && !orphan.booleanValue());
    }

    /** The options of a body. Any group and version is accepted, as in kube-apiserver. */
    private static ObjectNode decoded(ObjectNode body) {
        TypedDecoder.Decoded decoded = TypedDecoder.decode(TYPE, body, "", false);
        if (decoded.problem() != null) {
            throw Refusals.badRequest(decoded.problem());
        }
        String kind = body.path("kind").asString(KIND);
        String version = body.path("apiVersion").asString("");
        if (!kind.isEmpty() && !kind.equals(KIND)) {
            throw Refusals.badRequest("the body of a deletion is a " + kind + " (expected " + KIND + ")");
        }
        if (version.indexOf('/') != version.lastIndexOf('/')) {
            throw Refusals.badRequest("unexpected GroupVersion string: " + version);
        }
        return decoded.tree();
    }

    private static ObjectNode fromQuery(ApiRequest request) {
        String grace = request.parameter("gracePeriodSeconds");
        if (grace != null) {
            requireNumber(grace);
        }
        ObjectNode options = Json.object();
        String policy = request.parameter("propagationPolicy");
        if (policy != null) {
            options.put("propagationPolicy", policy);
        }
        String orphan = request.parameter("orphanDependents");
        if (orphan != null) {
            options.put("orphanDependents", WatchOptions.isTrue(orphan));
        }
        ObjectNode preconditions = options.putObject("preconditions");
        for (String name : List.of("uid", "resourceVersion")) {
            String value = request.parameter(name);
            if (value != null) {
                preconditions.put(name, value);
            }
        }
        return options;
    }

    /** Nothing here has a grace period, but a value that is not a number is a client error. */
    private static void requireNumber(String text) {
        try {
            Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw Refusals.badRequest("strconv.ParseInt: parsing " + GoText.quote(text) + ": invalid syntax");
        }
    }

    private static List<Status.Cause> policyProblems(JsonNode options) {
        FieldErrors errors = new FieldErrors();
        FieldPath path = FieldPath.of("propagationPolicy");
        String policy = text(options, "propagationPolicy");
        if (policy != null && options.has("orphanDependents")) {
            errors.invalid(path, policy, "orphanDependents and deletionPropagation cannot be both set");
        }
        if (policy != null && !POLICIES.containsKey(policy)) {
            errors.notSupported(path, policy, List.of("Foreground", "Background", "Orphan", "nil"));
        }
        return Causes.of(errors);
    }

    private static Propagation propagation(JsonNode options) {
        JsonNode orphan = options.path("orphanDependents");
        if (orphan.isBoolean()) {
            return orphan.booleanValue() ? Propagation.ORPHAN : Propagation.BACKGROUND;
        }
        String policy = text(options, "propagationPolicy");
        return policy == null ? Propagation.UNSET : Objects.requireNonNull(POLICIES.get(policy));
    }

    private static @Nullable String text(JsonNode object, String member) {
        JsonNode value = object.path(member);
        return value.isString() ? value.stringValue() : null;
    }
}
