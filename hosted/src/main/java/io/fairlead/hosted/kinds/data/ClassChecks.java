package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.Names;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of classes of volumes and runtimes, and of drivers (kubernetes {@code pkg/apis/storage/validation} and {@code pkg/apis/node/validation}), by Go type. */
final class ClassChecks {
    static final Map<String, Comparison> ALL = Map.of(
            "storage/v1.StorageClass", ClassChecks::storageClass,
            "storage/v1.VolumeAttributesClass", ClassChecks::parameters,
            "storage/v1.CSINodeSpec", ClassChecks::drivers,
            "storage/v1.CSINodeDriver", ClassChecks::driver,
            "storage/v1.CSIDriverSpec", ClassChecks::tokens,
            "node/v1.Overhead", ClassChecks::overhead,
            "node/v1.Scheduling", ClassChecks::scheduling);

    private static final List<String> RECLAIM_POLICIES = List.of("Delete", "Retain");
    private static final int PARAMETERS_MAX = 512;
    private static final int PARAMETERS_BYTES_MAX = 256 * 1024;
    private static final int NODE_ID_BYTES_MAX = 256;
    private static final int TOKEN_SECONDS_MIN = 600;
    private static final long TOKEN_SECONDS_MAX = 1L << 32;
    private static final String EXPRESSIONS = "matchLabelExpressions";

    private ClassChecks() {}

    private static void storageClass(ObjectNode storageClass, FieldPath path, FieldErrors errors) {
        JsonNode reclaim = storageClass.path("reclaimPolicy");
        if (!reclaim.asString("").isEmpty() && !RECLAIM_POLICIES.contains(reclaim.asString(""))) {
            errors.notSupported(path.child("reclaimPolicy"), reclaim, RECLAIM_POLICIES);
        }
        parameters(storageClass, path, errors);
        Set<String> terms = new HashSet<>();
        int index = 0;
        for (JsonNode term : storageClass.path("allowedTopologies")) {
            FieldPath at = path.child("allowedTopologies").index(index++).child(EXPRESSIONS);
            String text = topology(term, at, errors);
            if (!terms.add(text) || text.isEmpty()) {
                errors.duplicate(at, "");
            }
        }
    }

    private static void parameters(ObjectNode object, FieldPath path, FieldErrors errors) {
        JsonNode parameters = object.path("parameters");
        FieldPath at = path.child("parameters");
        if (parameters.size() > PARAMETERS_MAX) {
            errors.tooLong(at, PARAMETERS_MAX);
            return;
        }
        long bytes = 0;
        for (Map.Entry<String, JsonNode> parameter : parameters.properties()) {
            if (parameter.getKey().isEmpty()) {
                errors.invalid(at, "", "field can not be empty.");
            }
            bytes += bytes(parameter.getKey()) + bytes(parameter.getValue().asString(""));
        }
        if (bytes > PARAMETERS_BYTES_MAX) {
            errors.tooLong(at, PARAMETERS_BYTES_MAX);
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** A term as a text that is that of each equal one ({@code ValidateTopologySelectorTerm}); empty if it says nothing. */
    private static String topology(JsonNode term, FieldPath path, FieldErrors errors) {
        Map<String, String> requirements = new TreeMap<>();
        int index = 0;
        for (JsonNode requirement : term.path(EXPRESSIONS)) {
            FieldPath at = path.index(index++);
            String key = requirement.path("key").asString("");
            String values = values(requirement.path("values"), at.child("values"), errors);
            errors.invalid(at.child("key"), key, Names.qualifiedName(key));
            if (requirements.put(key, values) != null) {
                errors.duplicate(at.child("key"), key);
            }
        }
        StringBuilder text = new StringBuilder();
        requirements.forEach(
                (key, values) -> text.append(GoText.quote(key)).append(values).append(';'));
        return text.toString();
    }

    private static String values(JsonNode values, FieldPath path, FieldErrors errors) {
        if (values.isEmpty()) {
            errors.required(path, "");
        }
        Set<String> found = new TreeSet<>();
        int index = 0;
        for (JsonNode value : values) {
            if (!found.add(value.asString(""))) {
                errors.duplicate(path.index(index), value);
            }
            index++;
        }
        StringBuilder text = new StringBuilder();
        found.forEach(value -> text.append(GoText.quote(value)));
        return text.toString();
    }

    private static void drivers(ObjectNode spec, FieldPath path, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode driver : spec.path("drivers")) {
            String name = driver.path("name").asString("");
            if (!names.add(name)) {
                errors.duplicate(path.child("drivers").index(index).child("name"), name);
            }
            index++;
        }
    }

    /** What is wrong with a key is said of the driver. */
    private static void driver(ObjectNode driver, FieldPath path, FieldErrors errors) {
        String id = driver.path("nodeID").asString("");
        if (bytes(id) > NODE_ID_BYTES_MAX) {
            errors.invalid(path.child("nodeID"), id, "must be " + NODE_ID_BYTES_MAX + " characters or less");
        }
        Set<String> keys = new HashSet<>();
        for (String key : Meta.strings(driver.path("topologyKeys"))) {
            if (key.isEmpty()) {
                errors.required(path, "");
            }
            if (!keys.add(key)) {
                errors.duplicate(path, key);
            }
            errors.invalid(path, key, TextForm.QUALIFIED.problems(key));
        }
    }

    /** Tokens for each audience once. */
    private static void tokens(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode requests = spec.path("tokenRequests");
        JsonNode inSecrets = spec.path("serviceAccountTokenInSecrets");
        Set<String> audiences = new HashSet<>();
        int index = 0;
        for (JsonNode request : requests) {
            FieldPath at = path.child("tokenRequests").index(index++);
            JsonNode seconds = request.path("expirationSeconds");
            if (!audiences.add(request.path("audience").asString(""))) {
                errors.duplicate(at.child("audience"), request.path("audience").asString(""));
            } else if (seconds.isNumber() && seconds.asLong(0) < TOKEN_SECONDS_MIN) {
                errors.invalid(
                        at.child("expirationSeconds"), seconds, "may not specify a duration less than 10 minutes");
            } else if (seconds.asLong(0) > TOKEN_SECONDS_MAX) {
                errors.invalid(
                        at.child("expirationSeconds"), seconds, "may not specify a duration larger than 2^32 seconds");
            }
        }
        if (inSecrets.isBoolean() && requests.isEmpty()) {
            errors.invalid(
                    path.child("serviceAccountTokenInSecrets"),
                    inSecrets,
                    "serviceAccountTokenInSecrets is set but no tokenRequests are specified");
        }
    }

    /** What a pod takes more is judged as limits. */
    private static void overhead(ObjectNode overhead, FieldPath path, FieldErrors errors) {
        ObjectNode limits = Json.object();
        limits.set("limits", overhead.path("podFixed").isObject() ? overhead.get("podFixed") : Json.object());
        ResourceAmounts.check(limits, ResourceNames::ofContainer, path, errors);
    }

    private static void scheduling(ObjectNode scheduling, FieldPath path, FieldErrors errors) {
        Set<String> found = new HashSet<>();
        int index = 0;
        for (JsonNode toleration : scheduling.path("tolerations")) {
            FieldPath at = path.child("tolerations").index(index++);
            ObjectNode texts = Json.object();
            for (String field : new String[] {"key", "operator", "value", "effect"}) {
                texts.put(field, toleration.path(field).asString(""));
            }
            if (!found.add(texts.toString())) {
                if (toleration.has("tolerationSeconds")) {
                    texts.set("tolerationSeconds", toleration.get("tolerationSeconds"));
                }
                errors.duplicate(at, GoText.struct(texts, "Key", "Operator", "Value", "Effect", "TolerationSeconds"));
            }
        }
    }
}
