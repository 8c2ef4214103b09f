package io.fairlead.hosted.objects;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.LabelSelector;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The numbers of an object as an {@code autoscaling/v1 Scale} (apiextensions {@code registry/customresource}).
 *
 * @param specReplicasPath the path of the desired number, from the root of the object ({@code .spec.replicas})
 * @param statusReplicasPath the path of the observed number
 * @param labelSelectorPath the path of the pods' selector, empty if none: a text, or of a workload a map of labels or a
 *     {@code LabelSelector}
 * @param isOfWorkload whether the object is of a built-in kind that runs pods
 */
public record Scale(String specReplicasPath, String statusReplicasPath, String labelSelectorPath, boolean isOfWorkload)
        implements Facet {
    /** That of the built-in kinds that run pods. */
    public static final Scale OF_WORKLOADS = new Scale(".spec.replicas", ".status.replicas", ".spec.selector", true);

    /** The subresource's name. */
    public static final String SUBRESOURCE = "scale";

    /** The members that lead to the desired number in the scale. */
    static final List<String> REPLICAS = List.of("spec", "replicas");

    /** The smallest {@code int32} ({@code invalidSpecReplicas}). */
    private static final int NOT_SET = Integer.MIN_VALUE;

    private static final ResourceType TYPE = new ResourceType(
            "autoscaling",
            "v1",
            "scales",
            "scale",
            "Scale",
            "ScaleList",
            List.of(),
            List.of(),
            true,
            List.of("get", "patch", "update"),
            Set.of(),
            "v1",
            false,
            null,
            null);
    private static final Codec CODEC = new TypedCodec(TYPE);

    @Override
    public ResourceType type() {
        return TYPE;
    }

    @Override
    public Codec codec() {
        return CODEC;
    }

    @Override
    public ObjectNode shown(ObjectNode object) {
        ObjectNode scale = scaleOf(object);
        if (!integer(object, specReplicasPath).isFound()) {
            throw Refusals.internal("the spec replicas field \"" + specReplicasPath + "\" does not exist");
        }
        return scale;
    }

    /** Of a custom resource without a desired number, one that says so: it must not stay. */
    @Override
    public ObjectNode changeable(ObjectNode stored) {
        ObjectNode scale = scaleOf(stored);
        if (!isOfWorkload && !integer(stored, specReplicasPath).isFound()) {
            scale.withObjectProperty("spec").put("replicas", NOT_SET);
        }
        return scale;
    }

    /** The members that lead to the desired number in the object. */
    List<String> specReplicas() {
        return segments(specReplicasPath);
    }

    /** The stored object with the desired number; a given resource version and uid must equal the stored ones. */
    @Override
    public ObjectNode wanted(ObjectNode changed, ObjectNode stored) {
        int replicas = changed.path("spec").path("replicas").asInt(0);
        if (!isOfWorkload && replicas == NOT_SET) {
            throw Refusals.badRequest("the spec replicas field \"" + specReplicasPath + "\" cannot be empty");
        }
        ObjectNode wanted = stored.deepCopy();
        for (String condition : List.of("resourceVersion", "uid")) {
            String sent = changed.path("metadata").path(condition).asString("");
            if (!sent.isEmpty()) {
                Meta.of(wanted).put(condition, sent);
            }
        }
        List<String> path = segments(specReplicasPath);
        parent(wanted, path).put(path.getLast(), replicas);
        return wanted;
    }

    /** The object that has the last member of a path, made if there is none. */
    private static ObjectNode parent(ObjectNode root, List<String> path) {
        ObjectNode parent = root;
        for (String member : path.subList(0, path.size() - 1)) {
            parent = parent.get(member) instanceof ObjectNode child ? child : parent.putObject(member);
        }
        return parent;
    }

    /** The problems of an object's numbers, and of its selector. */
    List<Status.Cause> problems(ObjectNode object) {
        return problems(object, List.of(specReplicasPath, statusReplicasPath));
    }

    /** The same of what a write of the status can change ({@code ValidateScaleStatus} of apiextensions-apiserver). */
    List<Status.Cause> statusProblems(ObjectNode object) {
        return problems(object, List.of(statusReplicasPath));
    }

    private List<Status.Cause> problems(ObjectNode object, List<String> replicasPaths) {
        FieldErrors errors = new FieldErrors();
        for (String path : replicasPaths) {
            NestedValue replicas = integer(object, path);
            long number = replicas.value().asLong(0);
            if (replicas.problem() != null) {
                errors.invalid(FieldPath.of(path), Json.nodes().numberNode(0), replicas.problem());
            } else if (number < 0) {
                errors.invalid(FieldPath.of(path), replicas.value(), "should be a non-negative integer");
            } else if (number > Integer.MAX_VALUE) {
                errors.invalid(
                        FieldPath.of(path), replicas.value(), "should be less than or equal to " + Integer.MAX_VALUE);
            }
        }
        String selectorProblem = selector(object).problem();
        if (selectorProblem != null) {
            errors.invalid(FieldPath.of(labelSelectorPath), "", selectorProblem);
        }
        return Causes.of(errors);
    }

    private static NestedValue integer(ObjectNode object, String path) {
        return NestedValue.integer(object, segments(path));
    }

    private NestedValue selector(ObjectNode object) {
        if (labelSelectorPath.isEmpty()) {
            return NestedValue.NONE;
        }
        return isOfWorkload
                ? new NestedValue(object.at(pointer(labelSelectorPath)), null)
                : NestedValue.text(object, segments(labelSelectorPath));
    }

    /**
     * What can be read, which need not have been judged by the definition as it is now.
     *
     * @throws io.fairlead.model.StatusException 500 in the words of kube-apiserver if it cannot
     */
    private static JsonNode read(NestedValue nested) {
        if (nested.problem() != null) {
            throw new StatusException(Status.of(500, "", nested.problem()));
        }
        return nested.value();
    }

    private ObjectNode scaleOf(ObjectNode object) {
        int replicas = (int) read(integer(object, specReplicasPath)).asLong(0);
        int observed = (int) read(integer(object, statusReplicasPath)).asLong(0);
        JsonNode selected = read(selector(object));
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            JsonNode value = object.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value);
            }
        }
        ObjectNode spec = scale.putObject("spec");
        if (replicas != 0) {
            spec.put("replicas", replicas);
        }
        ObjectNode status = scale.putObject("status");
        status.put("replicas", observed);
        String selector = selected.isObject() ? LabelSelector.text(selected) : selected.asString("");
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }

    private static String pointer(String path) {
        return "/" + String.join("/", segments(path));
    }

    private static List<String> segments(String path) {
        return Arrays.asList((path.startsWith(".") ? path.substring(1) : path).split("\\.", -1));
    }
}
