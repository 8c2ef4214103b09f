package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.Names;
import io.fairlead.schema.text.Quantities;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Struct;
import java.math.BigDecimal;
import java.util.HashSet;
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
    private static final Map<String, Comparison> ALL = Map.ofEntries(
            Map.entry("apiregistration/v1.APIService", Comparisons::apiService),
            Map.entry("apps/v1.DeploymentSpec", Comparisons::selectsItsPods),
            Map.entry("apps/v1.DaemonSetSpec", Comparisons::selectsItsPods),
            Map.entry("apps/v1.ReplicaSetSpec", Comparisons::selectsItsPods),
            Map.entry("apps/v1.StatefulSetSpec", Comparisons::selectsItsPods),
            Map.entry("batch/v1.JobSpec", Comparisons::job),
            Map.entry("core/v1.PodSpec", Comparisons::pod),
            Map.entry("core/v1.ServiceSpec", Comparisons::service),
            Map.entry("core/v1.PersistentVolumeClaimSpec", Comparisons::claim),
            Map.entry("core/v1.PersistentVolumeSpec", Comparisons::volume),
            Map.entry("core/v1.ResourceQuotaSpec", Comparisons::quota),
            Map.entry("autoscaling/v2.CrossVersionObjectReference", Comparisons::scaled),
            Map.entry("autoscaling/v2.HorizontalPodAutoscalerSpec", Comparisons::autoscaler),
            Map.entry("policy/v1.PodDisruptionBudgetSpec", Comparisons::disruptionBudget),
            Map.entry("scheduling/v1.PriorityClass", Comparisons::priorityClass));
    private static final int PRIORITY_MAX = 1_000_000_000;
    private static final Struct VOLUMES = ApiTypes.named("core/v1.PersistentVolumeSource");
    private static final Set<String> QUOTA_RESOURCES = Set.of(
            "cpu",
            "memory",
            "ephemeral-storage",
            "requests.cpu",
            "requests.memory",
            "requests.storage",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage",
            "pods",
            "resourcequotas",
            "services",
            "replicationcontrollers",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers");

    private Comparisons() {}

    /** Adds the problems of an object that stands at a path. */
    @FunctionalInterface
    interface Comparison {
        void check(ObjectNode object, FieldPath path, FieldErrors errors);
    }

    static Comparison of(String type) {
        return ALL.getOrDefault(type, NONE);
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
            Names.dns1123Subdomain(group)
                    .forEach(wrong -> errors.invalid(path.child("spec").child("group"), spec.path("group"), wrong));
        }
        if (!version.isEmpty()) {
            Names.dns1035Label(version)
                    .forEach(wrong -> errors.invalid(path.child("spec").child("version"), spec.path("version"), wrong));
        }
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

    private static void selectsItsPods(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode labels = spec.at("/template/metadata/labels");
        JsonNode selector = spec.path("selector");
        boolean isEmpty = selector.path("matchLabels").isEmpty()
                && selector.path("matchExpressions").isEmpty();
        if (selector.isObject() && isEmpty) {
            errors.invalid(path.child("selector"), selector, "empty selector is invalid for deployment");
        }
        boolean selects = !isEmpty;
        for (Map.Entry<String, JsonNode> wanted : selector.path("matchLabels").properties()) {
            selects &= wanted.getValue().equals(labels.get(wanted.getKey()));
        }
        if (!selects) {
            errors.invalid(
                    path.child("template").child("metadata").child("labels"),
                    labels.isMissingNode() ? Json.nodes().nullNode() : labels,
                    "`selector` does not match template `labels`");
        }
        onlyAlways(spec, path, errors);
    }

    private static void onlyAlways(ObjectNode spec, FieldPath path, FieldErrors errors) {
        String policy = spec.at("/template/spec/restartPolicy").asString("");
        if (!policy.isEmpty() && !policy.equals("Always")) {
            errors.notSupported(path.child("template").child("spec").child("restartPolicy"), policy, List.of("Always"));
        }
    }

    private static void job(ObjectNode spec, FieldPath path, FieldErrors errors) {
        String policy = spec.at("/template/spec/restartPolicy").asString("");
        if (policy.equals("Always")) {
            errors.required(
                    path.child("template").child("spec").child("restartPolicy"),
                    "valid values: \"OnFailure\", \"Never\"");
        }
    }

    /** Names of containers and volumes occur once, and what is mounted is there. */
    private static void pod(ObjectNode spec, FieldPath path, FieldErrors errors) {
        Set<String> volumes = names(spec.path("volumes"), path.child("volumes"), errors);
        Set<String> containers = new HashSet<>();
        for (String list : List.of("containers", "initContainers", "ephemeralContainers")) {
            int index = 0;
            for (JsonNode container : spec.path(list)) {
                FieldPath at = path.child(list).index(index++);
                String name = container.path("name").asString("");
                if (!name.isEmpty() && !containers.add(name)) {
                    errors.duplicate(at.child("name"), name);
                }
                mounts(container.path("volumeMounts"), at.child("volumeMounts"), volumes, errors);
            }
        }
    }

    private static void mounts(JsonNode mounts, FieldPath path, Set<String> volumes, FieldErrors errors) {
        int index = 0;
        Set<String> places = new HashSet<>();
        for (JsonNode mount : mounts) {
            FieldPath at = path.index(index++);
            String name = mount.path("name").asString("");
            if (!name.isEmpty() && !volumes.contains(name)) {
                errors.notFound(at.child("name"), name);
            }
            String place = mount.path("mountPath").asString("");
            if (!place.isEmpty() && !places.add(place)) {
                errors.invalid(at.child("mountPath"), place, "must be unique");
            }
        }
    }

    private static Set<String> names(JsonNode items, FieldPath path, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode item : items) {
            String name = item.path("name").asString("");
            if (!name.isEmpty() && !names.add(name)) {
                errors.duplicate(path.index(index).child("name"), name);
            }
            index++;
        }
        return names;
    }

    private static void service(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode ports = spec.path("ports");
        String type = spec.path("type").asString("");
        boolean isHeadless = spec.path("clusterIP").asString("").equals("None");
        if (ports.isEmpty() && !isHeadless && !type.equals("ExternalName")) {
            errors.required(path.child("ports"), "");
        }
        if (type.equals("ExternalName")
                && spec.path("externalName").asString("").isEmpty()) {
            errors.required(path.child("externalName"), "");
        }
        Set<String> names = new HashSet<>();
        Set<String> numbers = new HashSet<>();
        int index = 0;
        for (JsonNode port : ports) {
            if (!numbers.add(
                    port.path("protocol").asString("") + port.path("port").asString(""))) {
                ObjectNode taken = Json.object();
                taken.set("port", port.path("port"));
                taken.set("protocol", port.path("protocol"));
                errors.duplicate(path.child("ports").index(index), taken);
            }
            String name = port.path("name").asString("");
            if (name.isEmpty() && ports.size() > 1) {
                errors.required(path.child("ports").index(index).child("name"), "");
            } else if (!name.isEmpty() && !names.add(name)) {
                errors.duplicate(path.child("ports").index(index).child("name"), name);
            }
            index++;
        }
    }

    private static void volume(ObjectNode spec, FieldPath path, FieldErrors errors) {
        if (!spec.path("capacity").has("storage")) {
            JsonNode capacity = spec.path("capacity");
            errors.notSupported(
                    path.child("capacity"),
                    capacity.isMissingNode() ? Json.nodes().nullNode() : capacity,
                    List.of("storage"));
        }
        if (spec.propertyNames().stream().noneMatch(name -> VOLUMES.field(name) != null)) {
            errors.required(path, "must specify a volume type");
        }
    }

    private static void quota(ObjectNode spec, FieldPath path, FieldErrors errors) {
        spec.path("hard").forEachEntry((name, limit) -> {
            FieldPath at = path.child("hard").key(name);
            boolean isQualified = name.contains("/");
            if (!isQualified && !QUOTA_RESOURCES.contains(name) && !name.startsWith("hugepages-")) {
                errors.invalid(at, name, "must be a standard resource type or fully qualified");
                errors.invalid(at, name, "must be a standard resource for quota");
            }
            if (Quantities.value(limit.asString("")).orElse(BigDecimal.ZERO).signum() < 0) {
                errors.invalid(at, limit, "must be greater than or equal to 0");
            }
        });
    }

    private static void scaled(ObjectNode reference, FieldPath path, FieldErrors errors) {
        String version = reference.path("apiVersion").asString("");
        boolean isCore = reference.path("kind").asString("").equals("ReplicationController");
        if (!version.contains("/") && !isCore) {
            errors.invalid(path.child("apiVersion"), version, "apiVersion must specify API group");
        }
    }

    private static void claim(ObjectNode spec, FieldPath path, FieldErrors errors) {
        if (!spec.at("/resources/requests").has("storage")) {
            errors.required(path.child("resources").key("storage"), "");
        }
    }

    private static void autoscaler(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode most = spec.path("maxReplicas");
        if (most.asLong(0) < spec.path("minReplicas").asLong(0)) {
            errors.invalid(path.child("maxReplicas"), most, "must be greater than or equal to `minReplicas`");
        }
    }

    private static void disruptionBudget(ObjectNode spec, FieldPath path, FieldErrors errors) {
        if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
            errors.invalid(path, spec, "minAvailable and maxUnavailable cannot be both set");
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
