package io.fairlead.hosted.objects;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.LabelSelector;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
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
 * @param labelSelectorPath the path of the pods' selector (a text, a map of labels or a {@code LabelSelector}), empty if none
 */
public record Scale(String specReplicasPath, String statusReplicasPath, String labelSelectorPath) implements Facet {
    /** That of the built-in kinds that run pods. */
    public static final Scale OF_WORKLOADS = new Scale(".spec.replicas", ".status.replicas", ".spec.selector");

    /** The subresource's name. */
    public static final String SUBRESOURCE = "scale";

    /** The members that lead to the desired number in the scale. */
    static final List<String> REPLICAS = List.of("spec", "replicas");

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
        if (!object.at(pointer(specReplicasPath)).isNumber()) {
            throw Refusals.internal("the spec replicas field \"" + specReplicasPath + "\" does not exist");
        }
        return scaleOf(object);
    }

    /** Of an object without a desired number, none. */
    @Override
    public ObjectNode changeable(ObjectNode stored) {
        return scaleOf(stored);
    }

    /** The members that lead to the desired number in the object. */
    List<String> specReplicas() {
        return segments(specReplicasPath);
    }

    /** The stored object with the desired number; a given resource version and uid must equal the stored ones. */
    @Override
    public ObjectNode wanted(ObjectNode changed, ObjectNode stored) {
        ObjectNode wanted = stored.deepCopy();
        for (String condition : List.of("resourceVersion", "uid")) {
            String sent = changed.path("metadata").path(condition).asString("");
            if (!sent.isEmpty()) {
                Meta.of(wanted).put(condition, sent);
            }
        }
        List<String> path = segments(specReplicasPath);
        parent(wanted, path)
                .put(path.getLast(), changed.path("spec").path("replicas").asInt(0));
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

    /** The problems of an object's numbers. */
    List<Status.Cause> problems(ObjectNode object) {
        FieldErrors errors = new FieldErrors();
        for (String path : List.of(specReplicasPath, statusReplicasPath)) {
            JsonNode replicas = object.at(pointer(path));
            long number = replicas.asLong(0);
            if (number < 0) {
                errors.invalid(FieldPath.of(path), replicas, "should be a non-negative integer");
            } else if (number > Integer.MAX_VALUE) {
                errors.invalid(FieldPath.of(path), replicas, "should be less than or equal to " + Integer.MAX_VALUE);
            }
        }
        JsonNode selector =
                labelSelectorPath.isEmpty() ? Json.object().path("") : object.at(pointer(labelSelectorPath));
        if (!selector.isMissingNode() && !selector.isNull() && !selector.isString()) {
            errors.invalid(
                    FieldPath.of(labelSelectorPath),
                    "",
                    labelSelectorPath + " accessor error: " + GoText.plain(selector) + " is of the type "
                            + GoText.kind(selector) + ", expected string");
        }
        return Causes.of(errors);
    }

    private static String selector(JsonNode selector) {
        return selector.isObject() ? LabelSelector.text(selector) : selector.asString("");
    }

    private ObjectNode scaleOf(ObjectNode object) {
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            JsonNode value = object.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value);
            }
        }
        ObjectNode spec = scale.putObject("spec");
        int replicas = object.at(pointer(specReplicasPath)).asInt(0);
        if (replicas != 0) {
            spec.put("replicas", replicas);
        }
        ObjectNode status = scale.putObject("status");
        status.put("replicas", object.at(pointer(statusReplicasPath)).asInt(0));
        String selector = labelSelectorPath.isEmpty() ? "" : selector(object.at(pointer(labelSelectorPath)));
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
