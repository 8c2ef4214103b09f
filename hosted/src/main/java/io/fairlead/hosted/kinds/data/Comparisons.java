package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.meta.SelectorRules;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.Names;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks that compare fields (kubernetes {@code pkg/apis/*}{@code /validation}), by Go type. */
final class Comparisons {
    /** Of the certificates of an APIService, in base64: they are kept for as long as it is served. */
    private static final int BUNDLE_CHARS_MAX = 65_536;

    private static final Comparison NONE = (object, path, errors) -> {};
    private static final Map<String, Comparison> ALL = all();
    /**
     * A selector of metrics may be any, and so may what a status tells of them; a template is not looked at where its selector
     * cannot be read, and that of a set has its claims as volumes; a job that is yet to be made has no selector.
     */
    private static final Map<String, Set<String>> JUDGED = Map.of(
            "autoscaling/v2.MetricSpec", Set.copyOf(MetricChecks.SOURCES),
            "autoscaling/v2.HorizontalPodAutoscalerStatus", Set.of("currentMetrics"),
            "apps/v1.DeploymentSpec", Set.of("template"),
            "apps/v1.ReplicaSetSpec", Set.of("template"),
            "apps/v1.StatefulSetSpec", Set.of("template"),
            "batch/v1.JobSpec", Set.of("selector"),
            "admissionregistration/v1.WebhookClientConfig", Set.of("service"),
            "core/v1.PodSpec", Set.of("resources"));

    private static final int PRIORITY_MAX = 1_000_000_000;

    private Comparisons() {}

    /** Adds the problems of an object that stands at a path. */
    @FunctionalInterface
    interface Comparison {
        void check(ObjectNode object, FieldPath path, FieldErrors errors);
    }

    private static Map<String, Comparison> all() {
        Map<String, Comparison> all = new HashMap<>(Map.of(
                "apiregistration/v1.APIService",
                Comparisons::apiService,
                "scheduling/v1.PriorityClass",
                Comparisons::priorityClass,
                "meta/v1.LabelSelector",
                SelectorRules::labelSelector));
        for (Map<String, Comparison> some : List.of(
                PodChecks.ALL,
                PodPlacementChecks.ALL,
                PodSecurityChecks.ALL,
                NodeChecks.ALL,
                NetworkChecks.ALL,
                NetworkPolicyChecks.ALL,
                ServiceChecks.ALL,
                SigningRequests.ALL,
                WorkloadChecks.ALL,
                WorkloadStatusChecks.ALL,
                JobChecks.ALL,
                MetricChecks.ALL,
                StorageChecks.ALL,
                ClassChecks.ALL,
                LimitChecks.ALL,
                PolicyChecks.ALL,
                AdmissionPolicyChecks.ALL,
                DeviceChecks.ALL)) {
            all.putAll(some);
        }
        return all;
    }

    static Comparison of(String type) {
        return ALL.getOrDefault(type, NONE);
    }

    /** The fields of a type that its own comparison judges, or none: what stands in them is not judged by itself. */
    static Set<String> judged(String type, ObjectNode object) {
        if (type.equals("core/v1.Volume")) {
            return VolumeSources.unread(object, VolumeSources.OF_PODS);
        }
        if (type.equals("core/v1.PersistentVolumeSpec")) {
            return VolumeSources.unread(object, VolumeSources.OF_PERSISTENT_VOLUMES);
        }
        return JUDGED.getOrDefault(type, AdmissionPolicyChecks.JUDGED.getOrDefault(type, Set.of()));
    }

    /** An APIService has the name of what it is for; one without a service is the API server's own, which needs no trust. */
    private static void apiService(ObjectNode object, FieldPath path, FieldErrors errors) {
        JsonNode spec = object.path("spec");
        JsonNode name = object.path("metadata").path("name");
        String group = spec.path("group").asString("");
        String version = spec.path("version").asString("");
        String required = version + "." + group;
        if (!name.asString("").isEmpty() && !name.asString("").equals(required)) {
            errors.invalid(
                    path.child("metadata").child("name"),
                    name,
                    "must be `spec.version+\".\"+spec.group`: \"" + required + "\"");
        }
        if (group.isEmpty() && !version.equals("v1")) {
            errors.required(
                    path.child("spec").child("group"), "only v1 may have an empty group and it better be legacy kube");
        }
        if (!group.isEmpty()) {
            errors.invalid(path.child("spec").child("group"), spec.path("group"), Names.dns1123Subdomain(group));
        }
        errors.invalid(path.child("spec").child("version"), version, Names.dns1035Label(version));
        boolean isLocal = !spec.path("service").isObject();
        JsonNode bundle = spec.path("caBundle");
        JsonNode unverified = spec.path("insecureSkipTLSVerify");
        boolean hasBundle = !bundle.asString("").isEmpty();
        if (bundle.asString("").length() > BUNDLE_CHARS_MAX) {
            errors.tooLong(path.child("spec").child("caBundle"), BUNDLE_CHARS_MAX);
        }
        if (isLocal && hasBundle) {
            errors.invalid(path.child("spec").child("caBundle"), bundle, "local APIServices may not have a caBundle");
        }
        if (unverified.asBoolean(false) && (isLocal || hasBundle)) {
            errors.invalid(
                    path.child("spec").child("insecureSkipTLSVerify"),
                    unverified,
                    isLocal
                            ? "local APIServices may not have insecureSkipTLSVerify"
                            : "may not be true if caBundle is present");
        }
    }

    private static void priorityClass(ObjectNode object, FieldPath path, FieldErrors errors) {
        String name = object.path("metadata").path("name").asString("");
        boolean isOfTheSystem = name.startsWith("system-");
        if (isOfTheSystem
                && !DataObjects.isOfTheSystem(name, object.path("value").asLong(0))) {
            errors.forbidden(
                    path.child("metadata").child("name"),
                    "priority class names with 'system-' prefix are reserved for system use only. error: " + name
                            + " is not a known system priority class");
        }
        if (!isOfTheSystem && object.path("value").asLong(0) > PRIORITY_MAX) {
            errors.forbidden(
                    path.child("value"), "maximum allowed value of a user defined priority is " + PRIORITY_MAX);
        }
    }
}
