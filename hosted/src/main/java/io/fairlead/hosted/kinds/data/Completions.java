package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.json.Json;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Defaults that depend on more than one field (kubernetes {@code pkg/apis/*}{@code /v1/defaults.go}), by Go type. */
final class Completions {
    /** The annotation that counts the templates of a DaemonSet, as before {@code metadata.generation}. */
    static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    private static final Map<String, Consumer<ObjectNode>> ALL = Map.ofEntries(
            Map.entry("core/v1.Container", container -> pullPolicy(container, "image", "imagePullPolicy")),
            Map.entry("core/v1.EphemeralContainer", container -> pullPolicy(container, "image", "imagePullPolicy")),
            Map.entry("core/v1.ImageVolumeSource", image -> pullPolicy(image, "reference", "pullPolicy")),
            Map.entry("core/v1.Volume", Completions::volume),
            Map.entry("core/v1.Pod", Completions::pod),
            Map.entry("core/v1.PodSpec", Completions::serviceAccount),
            Map.entry("core/v1.PodStatus", Completions::podStatus),
            Map.entry("core/v1.NodeSpec", Completions::nodeSpec),
            Map.entry("core/v1.Service", Completions::balancer),
            Map.entry("core/v1.ServiceSpec", Completions::service),
            Map.entry("core/v1.ServicePort", Completions::servicePort),
            Map.entry("core/v1.LimitRangeItem", Completions::limitRange),
            Map.entry("core/v1.NodeStatus", Completions::nodeStatus),
            Map.entry("core/v1.ReplicationController", Completions::replicationController),
            Map.entry("batch/v1.Job", Completions::job),
            Map.entry("apps/v1.DaemonSet", Completions::daemonSet),
            Map.entry("apps/v1.StatefulSetSpec", Completions::statefulSet),
            Map.entry("networking/v1.NetworkPolicySpec", Completions::networkPolicy),
            Map.entry("autoscaling/v2.HorizontalPodAutoscalerBehavior", Completions::scaling));

    private Completions() {}

    static Consumer<ObjectNode> of(String type) {
        return ALL.getOrDefault(type, object -> {});
    }

    /** An image without tag and digest means the tag {@code latest}, which is pulled anew each time. */
    private static void pullPolicy(ObjectNode object, String image, String policy) {
        if (object.path(policy).asString("").isEmpty()) {
            String reference = object.path(image).asString("");
            String name = reference.substring(reference.lastIndexOf('/') + 1);
            int tag = name.indexOf(':');
            boolean isLatest =
                    !name.contains("@") && (tag < 0 || name.substring(tag + 1).equals("latest"));
            object.put(policy, isLatest ? "Always" : "IfNotPresent");
        }
    }

    private static void volume(ObjectNode volume) {
        if (volume.size() <= 1) {
            volume.putObject("emptyDir");
        }
    }

    private static void pod(ObjectNode pod) {
        if (pod.get("spec") instanceof ObjectNode spec) {
            boolean isOnHostNetwork = spec.path("hostNetwork").asBoolean(false);
            for (String containers : new String[] {"containers", "initContainers"}) {
                for (JsonNode container : spec.path(containers)) {
                    if (container.get("resources") instanceof ObjectNode resources) {
                        complete(resources, "requests", resources.path("limits"));
                    }
                    if (isOnHostNetwork) {
                        container.path("ports").forEach(port -> hostPort((ObjectNode) port));
                    }
                }
            }
            PodResources.complete(spec);
            if (spec.path("terminationGracePeriodSeconds").asLong(0) < 0) {
                spec.put("terminationGracePeriodSeconds", 1); // kubernetes pkg/apis/core/v1/conversion.go
            }
            if (!spec.has("enableServiceLinks")) {
                spec.put("enableServiceLinks", true);
            }
        }
    }

    /** The field's former name stays along with it ({@code pkg/apis/core/v1/conversion.go}). */
    private static void serviceAccount(ObjectNode spec) {
        String name = spec.path("serviceAccountName").asString("");
        String account = name.isEmpty() ? spec.path("serviceAccount").asString("") : name;
        if (!account.isEmpty()) {
            spec.put("serviceAccountName", account).put("serviceAccount", account);
        }
    }

    private static void podStatus(ObjectNode status) {
        pair(status, "podIP", "podIPs", address -> Json.object().put("ip", address), item -> item.path("ip"));
    }

    private static void nodeSpec(ObjectNode spec) {
        pair(spec, "podCIDR", "podCIDRs", Json.nodes()::stringNode, item -> item);
    }

    /** One value and the list that it begins: the one says what the other lacks ({@code pkg/apis/core/v1/conversion.go}). */
    private static void pair(
            ObjectNode object,
            String one,
            String list,
            Function<String, JsonNode> item,
            UnaryOperator<JsonNode> value) {
        String first = object.path(one).asString("");
        String firstOfList = object.path(list).isEmpty()
                ? ""
                : value.apply(object.path(list).path(0)).asString("");
        if (first.isEmpty() && !firstOfList.isEmpty()) {
            object.put(one, firstOfList);
        } else if (!first.isEmpty() && !first.equals(firstOfList)) {
            object.putArray(list).add(item.apply(first));
        }
    }

    private static void hostPort(ObjectNode port) {
        if (port.path("hostPort").asInt(0) == 0 && port.path("containerPort").asInt(0) != 0) {
            port.put("hostPort", port.path("containerPort").asInt(0));
        }
    }

    /** Adds what a map of quantities has not; nothing if there is nothing to add. */
    private static void complete(ObjectNode object, String map, JsonNode from) {
        from.forEachEntry((name, quantity) -> {
            ObjectNode quantities = object.withObjectProperty(map);
            if (!quantities.has(name)) {
                quantities.set(name, quantity);
            }
        });
    }

    /** An address of a load balancer is one that nodes take for their own, unless it is said to be a proxy's. */
    private static void balancer(ObjectNode service) {
        if (service.at("/spec/type").asString("").equals("LoadBalancer")) {
            for (JsonNode ingress : service.at("/status/loadBalancer/ingress")) {
                if (!ingress.path("ip").asString("").isEmpty() && !ingress.has("ipMode")) {
                    ((ObjectNode) ingress).put("ipMode", "VIP");
                }
            }
        }
    }

    private static void service(ObjectNode spec) {
        if (spec.path("sessionAffinity").asString("").equals("None")) {
            spec.remove("sessionAffinityConfig");
        }
        String type = spec.path("type").asString("");
        boolean isReached =
                !type.equals("ExternalName") && !spec.path("externalIPs").isEmpty();
        if (isReached && spec.path("externalTrafficPolicy").asString("").isEmpty()) {
            spec.put("externalTrafficPolicy", "Cluster");
        }
    }

    private static void servicePort(ObjectNode port) {
        JsonNode target = port.path("targetPort");
        boolean isOpen = target.isString() ? target.stringValue().isEmpty() : target.asInt(0) == 0;
        if (isOpen) {
            port.put("targetPort", port.path("port").asInt(0));
        }
    }

    private static void limitRange(ObjectNode item) {
        if (item.path("type").asString("").equals("Container")) {
            complete(item, "default", item.path("max"));
            complete(item, "defaultRequest", item.path("default"));
            complete(item, "defaultRequest", item.path("min"));
        }
    }

    private static void nodeStatus(ObjectNode status) {
        if (!status.has("allocatable") && status.has("capacity")) {
            status.set("allocatable", status.get("capacity").deepCopy());
        }
    }

    private static void replicationController(ObjectNode controller) {
        JsonNode labels = controller.at("/spec/template/metadata/labels");
        if (!labels.isEmpty() && controller.at("/spec/selector").isEmpty()) {
            controller.withObjectProperty("spec").set("selector", labels.deepCopy());
        }
        labelsOfTemplate(controller);
    }

    /** Not where a CronJob has the spec of its jobs. */
    private static void job(ObjectNode job) {
        if (job.get("spec") instanceof ObjectNode spec) {
            DataDefaults.fillIn("batch/v1.Job.spec", spec);
        }
        labelsOfTemplate(job);
    }

    private static void labelsOfTemplate(ObjectNode owner) {
        JsonNode labels = owner.at("/spec/template/metadata/labels");
        if (!labels.isEmpty() && owner.at("/metadata/labels").isEmpty()) {
            owner.withObjectProperty("metadata").set("labels", labels.deepCopy());
        }
    }

    private static void daemonSet(ObjectNode set) {
        ObjectNode annotations = set.withObjectProperty("metadata").withObjectProperty("annotations");
        if (!annotations.has(TEMPLATE_GENERATION)) {
            annotations.put(TEMPLATE_GENERATION, "0"); // as in a struct where no number was
        }
    }

    private static void statefulSet(ObjectNode spec) {
        for (JsonNode template : spec.path("volumeClaimTemplates")) {
            ((ObjectNode) template).put("kind", "PersistentVolumeClaim").put("apiVersion", "v1");
        }
    }

    private static void networkPolicy(ObjectNode spec) {
        if (spec.path("policyTypes").isEmpty()) {
            ArrayNode types = spec.putArray("policyTypes").add("Ingress");
            if (!spec.path("egress").isEmpty()) {
                types.add("Egress");
            }
        }
    }

    private static void scaling(ObjectNode behavior) {
        ObjectNode up = behavior.withObjectProperty("scaleUp");
        if (!up.has("policies")) {
            policy(up, "Pods", 4);
            policy(up, "Percent", 100);
        }
        ObjectNode down = behavior.withObjectProperty("scaleDown");
        if (!down.has("policies")) {
            policy(down, "Percent", 100);
        }
        if (!up.has("stabilizationWindowSeconds")) {
            up.put("stabilizationWindowSeconds", 0);
        }
        for (ObjectNode rules : new ObjectNode[] {up, down}) {
            if (!rules.has("selectPolicy")) {
                rules.put("selectPolicy", "Max");
            }
        }
    }

    private static void policy(ObjectNode rules, String type, int value) {
        rules.withArrayProperty("policies")
                .add(Json.object().put("type", type).put("value", value).put("periodSeconds", 15));
    }
}
