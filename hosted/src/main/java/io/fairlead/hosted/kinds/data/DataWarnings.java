package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldPath;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is odd about objects of single kinds, though they are taken (kubernetes {@code pkg/registry}, {@code WarningsOnCreate} and {@code OnUpdate}). */
final class DataWarnings {
    private DataWarnings() {}

    static List<String> of(String kind, ObjectNode object) {
        FieldPath spec = FieldPath.of("spec");
        return switch (kind) {
            case "Pod" -> PodWarnings.of(object.path("spec"), spec);
            case "PodTemplate" ->
                PodWarnings.of(
                        object.path("template").path("spec"),
                        FieldPath.of("template").child("spec"));
            case "CronJob" ->
                PodWarnings.of(
                        object.at("/spec/jobTemplate/spec/template/spec"),
                        spec.child("jobTemplate")
                                .child("spec")
                                .child("template")
                                .child("spec"));
            case "DaemonSet", "Deployment", "Job", "ReplicaSet", "ReplicationController" -> template(object);
            case "StatefulSet" -> statefulSet(object);
            case "Ingress" -> ingress(object);
            case "Service" -> service(object.path("spec"));
            case "PersistentVolume" -> volume(object.path("spec"), spec);
            default -> List.of();
        };
    }

    private static List<String> template(ObjectNode object) {
        return PodWarnings.of(object.at("/spec/template/spec"), FieldPath.of("spec", "template", "spec"));
    }

    private static List<String> statefulSet(ObjectNode set) {
        List<String> warnings = new ArrayList<>(template(set));
        if (set.at("/spec/revisionHistoryLimit").asLong(0) < 0) {
            warnings.add("spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is"
                    + " recommended");
        }
        return warnings;
    }

    private static List<String> ingress(ObjectNode ingress) {
        return ingress.at("/metadata/annotations").has("kubernetes.io/ingress.class")
                ? List.of("annotation \"kubernetes.io/ingress.class\" is deprecated, please use"
                        + " 'spec.ingressClassName' instead")
                : List.of();
    }

    private static List<String> service(JsonNode spec) {
        List<String> warnings = new ArrayList<>();
        if (spec.path("trafficDistribution").asString("").equals("PreferClose")) {
            warnings.add("spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
        }
        boolean isNamed = spec.path("type").asString("").equals("ExternalName");
        boolean isHeadless = spec.path("type").asString("").equals("ClusterIP")
                && spec.path("clusterIP").asString("").equals("None");
        boolean hasExternal = !spec.path("externalIPs").isEmpty();
        if (isHeadless) {
            if (!spec.path("loadBalancerIP").asString("").isEmpty()) {
                warnings.add("spec.loadBalancerIP is ignored for headless services");
            }
            if (hasExternal) {
                warnings.add("spec.externalIPs is ignored for headless services");
            }
            if (!spec.path("sessionAffinity").asString("").equals("None")) {
                warnings.add("spec.SessionAffinity is ignored for headless services");
            }
        }
        if (hasExternal && !isHeadless && !isNamed) {
            warnings.add("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
        }
        if (hasExternal && isNamed) {
            warnings.add("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
        }
        if (!isNamed && !spec.path("externalName").asString("").isEmpty()) {
            warnings.add("spec.externalName is ignored when spec.type is not \"ExternalName\"");
        }
        return warnings;
    }

    private static List<String> volume(JsonNode spec, FieldPath path) {
        return spec.path("persistentVolumeReclaimPolicy").asString("").equals("Recycle")
                ? List.of(path.child("persistentVolumeReclaimPolicy")
                        + ": The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use"
                        + " dynamic provisioning.")
                : List.of();
    }
}
