package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Quantities;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What writes set of objects of single kinds (kubernetes {@code pkg/registry}, {@code PrepareForCreate} and {@code ForUpdate}). */
final class Strategies {
    private static final List<String> QUALITY_RESOURCES = List.of("cpu", "memory");

    private Strategies() {}

    static void create(String kind, ObjectNode object) {
        switch (kind) {
            case "Pod" -> pod(object);
            case "PersistentVolumeClaim" -> ClaimSources.normalise(object.path("spec"), Json.object());
            case "APIService" -> availableIfLocal(object);
            case "Service" -> leaveInside(object);
            case "PriorityClass" -> Meta.of(object).put("generation", 1);
            case "LimitRange" -> nameItself(object);
            case "Job" -> selectOwnPods(object);
            case "DaemonSet" -> countFirstTemplate(object);
            case "PersistentVolume" ->
                object.withObjectProperty("status")
                        .set("lastPhaseTransitionTime", object.path("metadata").path("creationTimestamp"));
            default -> {}
        }
    }

    static void update(String kind, ObjectNode object, ObjectNode old) {
        switch (kind) {
            case "Service" -> leaveInside(object);
            case "PersistentVolumeClaim" -> ClaimSources.normalise(object.path("spec"), old.path("spec"));
            case "CertificateSigningRequest" ->
                object.set("spec", old.path("spec").deepCopy());
            case "CSIDriver" -> {
                if (!object.path("spec").equals(old.path("spec"))) {
                    Meta.of(object).put("generation", Meta.generation(old) + 1);
                }
            }
            case "PriorityClass" -> Meta.of(object).put("generation", Meta.generation(old));
            case "DaemonSet" -> countTemplates(object, old);
            case "Deployment" -> {
                boolean annotated = !object.at("/metadata/annotations").equals(old.at("/metadata/annotations"));
                if (annotated && object.path("spec").equals(old.path("spec"))) {
                    Meta.of(object).put("generation", Meta.generation(old) + 1);
                }
            }
            case "EndpointSlice" -> {
                boolean relabelled = !Meta.labels(object).equals(Meta.labels(old));
                if (relabelled && withoutMetadata(object).equals(withoutMetadata(old))) {
                    Meta.of(object).put("generation", Meta.generation(old) + 1);
                }
            }
            default -> {}
        }
    }

    /** A LimitRange needs no name, and is then called by its uid ({@code registry/core/limitrange/strategy.go}). */
    private static void nameItself(ObjectNode object) {
        if (Meta.name(object).isEmpty()) {
            Meta.of(object).put("name", Meta.uid(object));
        }
    }

    /** Takes from the stored object what a subresource must not change, beside the spec. */
    static void merge(String kind, String subresource, ObjectNode merged, ObjectNode stored) {
        if (kind.equals("Pod")) {
            ObjectNode status = merged.withObjectProperty("status");
            if (status.path("qosClass").asString("").isEmpty()) {
                status.set("qosClass", stored.path("status").path("qosClass"));
            }
        }
        if (kind.equals("CertificateSigningRequest")) {
            Approvals.keep(subresource, merged, stored);
        }
    }

    /** A pod whose scheduling is gated says so ({@code applySchedulingGatedCondition}). */
    private static void pod(ObjectNode pod) {
        LabelKeys.merge(pod);
        ObjectNode status =
                pod.withObjectProperty("status").put("phase", "Pending").put("qosClass", quality(pod));
        if (!pod.at("/spec/schedulingGates").isEmpty()) {
            status.putArray("conditions")
                    .addObject()
                    .put("type", "PodScheduled")
                    .put("status", "False")
                    .putNull("lastProbeTime")
                    .put(
                            "lastTransitionTime",
                            pod.at("/metadata/creationTimestamp").asString(""))
                    .put("reason", "SchedulingGated")
                    .put("message", "Scheduling is blocked due to non-empty scheduling gates");
        }
    }

    /** What is but another name has no traffic inside ({@code dropTypeDependentFields}). */
    private static void leaveInside(ObjectNode service) {
        ObjectNode spec = service.withObjectProperty("spec");
        if (spec.path("type").asString("").equals("ExternalName")) {
            spec.remove("internalTrafficPolicy");
        }
    }

    private static void availableIfLocal(ObjectNode service) {
        if (!service.path("spec").path("service").isObject()) {
            String created = service.at("/metadata/creationTimestamp").asString("");
            LocalAvailability.show(service, Instant.parse(created));
        }
    }

    private static ObjectNode withoutMetadata(ObjectNode object) {
        return Json.object().setAll(object).without("metadata");
    }

    private static void countFirstTemplate(ObjectNode object) {
        ObjectNode annotations = Meta.of(object).withObjectProperty("annotations");
        if (annotations.path(Completions.TEMPLATE_GENERATION).asLong(0) < 1) {
            annotations.put(Completions.TEMPLATE_GENERATION, "1");
        }
    }

    /** The generation of the template stands in the spec of kube-apiserver's type, which a write to the status keeps. */
    static void updateStatus(String kind, ObjectNode object, ObjectNode old) {
        if (kind.equals("DaemonSet")) {
            String before = old.at("/metadata/annotations")
                    .path(Completions.TEMPLATE_GENERATION)
                    .asString("1");
            Meta.of(object).withObjectProperty("annotations").put(Completions.TEMPLATE_GENERATION, before);
        }
    }

    /** The generation of the pods' template, from before there was {@code metadata.generation}. */
    private static void countTemplates(ObjectNode object, ObjectNode old) {
        String before = old.path("metadata")
                .path("annotations")
                .path(Completions.TEMPLATE_GENERATION)
                .asString("1");
        boolean isSame =
                object.path("spec").path("template").equals(old.path("spec").path("template"));
        Meta.of(object)
                .withObjectProperty("annotations")
                .put(Completions.TEMPLATE_GENERATION, isSame ? before : Long.toString(Meta.generation(old) + 1));
    }

    /** A job finds its pods by its own uid, unless its client chose otherwise. */
    private static void selectOwnPods(ObjectNode job) {
        ObjectNode spec = job.withObjectProperty("spec");
        if (spec.path("manualSelector").asBoolean(false)) {
            return;
        }
        String uid = Meta.uid(job);
        ObjectNode labels = spec.withObjectProperty("template")
                .withObjectProperty("metadata")
                .withObjectProperty("labels");
        for (String prefix : List.of("", "batch.kubernetes.io/")) {
            labels.put(prefix + "controller-uid", uid).put(prefix + "job-name", Meta.name(job));
        }
        spec.withObjectProperty("selector")
                .withObjectProperty("matchLabels")
                .put("batch.kubernetes.io/controller-uid", uid);
        Completions.of("batch/v1.Job").accept(job);
    }

    /** The quality of service that its requests and limits promise a pod ({@code ComputePodQOS}). */
    private static String quality(ObjectNode pod) {
        Map<String, BigDecimal> requests = new HashMap<>();
        Map<String, BigDecimal> limits = new HashMap<>();
        boolean isGuaranteed = true;
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : pod.path("spec").path(list)) {
                JsonNode resources = container.path("resources");
                add(requests, resources.path("requests"));
                isGuaranteed &= add(limits, resources.path("limits")) == QUALITY_RESOURCES.size();
            }
        }
        JsonNode ofPod = pod.path("spec").path("resources");
        if (ofPod.isObject()) {
            requests.clear();
            limits.clear();
            add(requests, ofPod.path("requests"));
            isGuaranteed = add(limits, ofPod.path("limits")) == QUALITY_RESOURCES.size();
        }
        if (requests.isEmpty() && limits.isEmpty()) {
            return "BestEffort";
        }
        boolean isSame = requests.size() == limits.size()
                && requests.entrySet().stream()
                        .allMatch(request -> limits.containsKey(request.getKey())
                                && Objects.requireNonNull(limits.get(request.getKey()))
                                                .compareTo(request.getValue())
                                        == 0);
        return isGuaranteed && isSame ? "Guaranteed" : "Burstable";
    }

    /** Adds the positive quantities that count, and returns how many there were. */
    private static int add(Map<String, BigDecimal> sums, JsonNode quantities) {
        int count = 0;
        for (String resource : QUALITY_RESOURCES) {
            BigDecimal value =
                    Quantities.value(quantities.path(resource).asString("0")).orElse(BigDecimal.ZERO);
            if (value.signum() > 0) {
                sums.merge(resource, value, BigDecimal::add);
                count++;
            }
        }
        return count;
    }
}
