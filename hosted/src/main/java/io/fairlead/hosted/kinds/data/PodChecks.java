package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.Names;
import io.fairlead.schema.meta.ObjectMetadata;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of pods and of templates of pods that compare fields (kubernetes {@code pkg/apis/core/validation}), by Go type. */
final class PodChecks {
    static final Map<String, Comparison> ALL = Map.ofEntries(
            Map.entry("core/v1.PodSpec", PodChecks::pod),
            Map.entry("core/v1.PodTemplateSpec", PodChecks::template),
            Map.entry("core/v1.Probe", PodChecks::probe),
            Map.entry("core/v1.LifecycleHandler", PodChecks::lifecycleHandler),
            Map.entry("core/v1.EnvVar", PodChecks::variable),
            Map.entry("core/v1.DownwardAPIVolumeSource", PodChecks::downwardFiles),
            Map.entry("core/v1.DownwardAPIProjection", PodChecks::downwardFiles),
            Map.entry("core/v1.ProjectedVolumeSource", PodChecks::projection),
            Map.entry("core/v1.Volume", PodChecks::volume));

    private static final int MODE_MAX = 0777;
    private static final int TOKEN_SECONDS_MIN = 600;
    private static final List<String> PROJECTED = List.of(
            "secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate");
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
    private static final List<String> FIELDS_OF_VARIABLES = List.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");
    private static final List<String> FIELDS_OF_FILES =
            List.of("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid");

    private PodChecks() {}

    /** Names of containers and volumes occur once, and what is mounted is there. */
    private static void pod(ObjectNode spec, FieldPath path, FieldErrors errors) {
        Set<String> volumes = volumes(spec.path("volumes"), path.child("volumes"), errors);
        Set<String> containers = new HashSet<>();
        for (String list : List.of("containers", "initContainers", "ephemeralContainers")) {
            int index = 0;
            Set<String> hostPorts = new HashSet<>();
            for (JsonNode container : spec.path(list)) {
                FieldPath at = path.child(list).index(index++);
                String name = container.path("name").asString("");
                if (!containers.add(name) && (!name.isEmpty() || list.equals("containers"))) {
                    errors.duplicate(at.child("name"), name);
                }
                mounts(container, at.child("volumeMounts"), volumes, errors);
                ContainerChecks.devices(container.path("volumeDevices"), volumes, at.child("volumeDevices"), errors);
                ContainerChecks.check(container, spec, at, errors);
                if (path.isOfMember() && !list.equals("ephemeralContainers")) {
                    ContainerChecks.ofPod(container, at, errors);
                }
                hostPorts(container.path("ports"), at.child("ports"), hostPorts, errors);
                probes(container, list.equals("containers"), at, errors);
            }
        }
        ContainerChecks.claimsOfPod(spec.path("resourceClaims"), path.child("resourceClaims"), errors);
        PodResources.check(spec, path, errors);
        PodPlacementChecks.pod(spec, path, errors);
        PodNameChecks.pod(spec, path, errors);
        PodSecurityChecks.pod(spec, path, errors);
        if (path.isOfMember() && spec.path("serviceAccountName").asString("").isEmpty()) {
            tokens(spec, path, errors);
        }
        if (spec.path("hostNetwork").asBoolean(false)) {
            onHostNetwork(spec, path, errors);
        }
    }

    /** Volumes that are in order; of others what is wrong is said where they stand. */
    private static Set<String> volumes(JsonNode volumes, FieldPath path, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode volume : volumes) {
            FieldPath at = path.index(index++);
            String name = volume.path("name").asString("");
            FieldErrors found = new FieldErrors();
            if (volume instanceof ObjectNode object) {
                DataChecks.within("core/v1.Volume", object, at, found);
            }
            if (names.contains(name)) {
                errors.duplicate(at.child("name"), name);
            } else if (found.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }

    private static void mounts(JsonNode container, FieldPath path, Set<String> volumes, FieldErrors errors) {
        int index = 0;
        Set<String> places = new HashSet<>();
        for (JsonNode mount : container.path("volumeMounts")) {
            FieldPath at = path.index(index++);
            String name = mount.path("name").asString("");
            if (!volumes.contains(name)) {
                errors.notFound(at.child("name"), name);
            }
            String place = mount.path("mountPath").asString("");
            if (!places.add(place)) {
                errors.invalid(at.child("mountPath"), place, "must be unique");
            }
            String expression = mount.path("subPathExpr").asString("");
            if (!expression.isEmpty() && !mount.path("subPath").asString("").isEmpty()) {
                errors.invalid(at.child("subPathExpr"), expression, "subPathExpr and subPath are mutually exclusive");
            }
            ContainerChecks.mount(mount, container, path, errors);
        }
    }

    /** A port of the node is taken once, and has a name once. */
    private static void hostPorts(JsonNode ports, FieldPath path, Set<String> taken, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode port : ports) {
            FieldPath at = path.index(index++);
            String name = port.path("name").asString("");
            if (!name.isEmpty() && TextForm.PORT.problems(name).isEmpty() && !names.add(name)) {
                errors.duplicate(at.child("name"), name);
            }
            long hostPort = port.path("hostPort").asLong(0);
            String key = port.path("protocol").asString("") + "/"
                    + port.path("hostIP").asString("") + "/" + hostPort;
            if (hostPort != 0 && !taken.add(key)) {
                errors.duplicate(at.child("hostPort"), key);
            }
        }
    }

    /** In a template the port of the node may be open: it is known once there is a pod. */
    private static void onHostNetwork(ObjectNode spec, FieldPath path, FieldErrors errors) {
        boolean isOfPod = path.isOfMember();
        int index = 0;
        for (JsonNode container : spec.path("containers")) {
            FieldPath at = path.child("containers").index(index++).child("ports");
            int number = 0;
            for (JsonNode port : container.path("ports")) {
                long hostPort = port.path("hostPort").asLong(0);
                if ((isOfPod || hostPort != 0)
                        && hostPort != port.path("containerPort").asLong(0)) {
                    errors.invalid(
                            at.index(number).child("hostPort"),
                            Json.nodes().numberNode(hostPort),
                            "must match `containerPort` when `hostNetwork` is true");
                }
                number++;
            }
        }
    }

    /** Probes must succeed once alone but where readiness is asked for; containers that end have none. */
    private static void probes(JsonNode container, boolean isRegular, FieldPath path, FieldErrors errors) {
        boolean mayHave =
                isRegular || container.path("restartPolicy").asString("").equals("Always");
        for (String probe : PROBES) {
            JsonNode threshold = container.path(probe).path("successThreshold");
            if (!container.path(probe).isObject()) {
                continue;
            }
            if (!mayHave) {
                errors.forbidden(path.child(probe), "may not be set for init containers without restartPolicy=Always");
            } else if (!probe.equals("readinessProbe") && threshold.asLong(1) != 1) {
                errors.invalid(path.child(probe).child("successThreshold"), threshold, "must be 1");
            }
        }
        if (!mayHave && container.path("lifecycle").isObject()) {
            errors.forbidden(
                    path.child("lifecycle"), "may not be set for init containers without restartPolicy=Always");
        }
    }

    private static void probe(ObjectNode probe, FieldPath path, FieldErrors errors) {
        handler(probe, List.of("exec", "httpGet", "tcpSocket", "grpc"), path, errors);
    }

    private static void lifecycleHandler(ObjectNode handler, FieldPath path, FieldErrors errors) {
        handler(handler, List.of("exec", "httpGet", "tcpSocket", "sleep"), path, errors);
    }

    private static void handler(ObjectNode object, List<String> types, FieldPath path, FieldErrors errors) {
        int count = 0;
        for (String type : types) {
            if (object.path(type).isObject() && count++ > 0) {
                errors.forbidden(path.child(type), "may not specify more than 1 handler type");
            }
        }
        if (count == 0) {
            errors.required(path, "must specify a handler type");
        }
    }

    private static void template(ObjectNode template, FieldPath path, FieldErrors errors) {
        JsonNode metadata = template.path("metadata");
        ObjectMetadata.labels(metadata.path("labels"), path.child("labels"), errors);
        ObjectMetadata.annotations(metadata.path("annotations"), path.child("annotations"), errors);
        if (!template.at("/spec/ephemeralContainers").isEmpty()) {
            errors.forbidden(
                    path.child("spec").child("ephemeralContainers"),
                    "ephemeral containers not allowed in pod template");
        }
    }

    private static void variable(ObjectNode variable, FieldPath path, FieldErrors errors) {
        if (!(variable.get("valueFrom") instanceof ObjectNode source)) {
            return;
        }
        FieldPath at = path.child("valueFrom");
        if (source.get("fieldRef") instanceof ObjectNode reference) {
            field(reference, FIELDS_OF_VARIABLES, at.child("fieldRef"), errors);
        }
        if (source.get("resourceFieldRef") instanceof ObjectNode reference) {
            ResourceFields.check(reference, false, at.child("resourceFieldRef"), errors);
        }
        if (source.isEmpty()) {
            errors.invalid(
                    at,
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or"
                            + " `fileKeyRef`");
        } else if (!variable.path("value").asString("").isEmpty()) {
            errors.invalid(at, "", "may not be specified when `value` is not empty");
        } else if (source.size() > 1) {
            errors.invalid(at, "", "may not have more than one field specified at a time");
        }
    }

    /** What is wrong with a file is said of all files ({@code validateDownwardAPIVolumeFile}). */
    private static void downwardFiles(ObjectNode source, FieldPath path, FieldErrors errors) {
        for (JsonNode file : source.path("items")) {
            String place = file.path("path").asString("");
            if (place.isEmpty()) {
                errors.required(path.child("path"), "");
            }
            errors.invalid(path.child("path"), place, TextForm.RELATIVE_PATH.problems(place));
            if (file.get("fieldRef") instanceof ObjectNode reference) {
                field(reference, FIELDS_OF_FILES, path.child("fieldRef"), errors);
            } else if (file.get("resourceFieldRef") instanceof ObjectNode reference) {
                ResourceFields.check(reference, true, path.child("resourceFieldRef"), errors);
            } else {
                errors.required(path, "one of fieldRef and resourceFieldRef is required");
            }
            JsonNode mode = file.path("mode");
            if (mode.isNumber() && (mode.asLong(0) < 0 || mode.asLong(0) > MODE_MAX)) {
                errors.invalid(path.child("mode"), mode, "must be a number between 0 and 0777 (octal), both inclusive");
            }
        }
    }

    private static void projection(ObjectNode projection, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode source : projection.path("sources")) {
            FieldPath at = path.child("sources").index(index++);
            if (source.get("serviceAccountToken") instanceof ObjectNode token) {
                JsonNode seconds = token.path("expirationSeconds");
                if (seconds.asLong(0) < TOKEN_SECONDS_MIN) {
                    errors.invalid(
                            at.child("serviceAccountToken").child("expirationSeconds"),
                            seconds,
                            "may not specify a duration less than 10 minutes");
                }
                String place = token.path("path").asString("");
                if (place.isEmpty()) {
                    errors.required(path.child("path"), "");
                }
                errors.invalid(path.child("path"), place, TextForm.RELATIVE_PATH.problems(place));
            }
            if (PROJECTED.stream().filter(type -> source.path(type).isObject()).count() > 1) {
                errors.forbidden(at, "may not specify more than 1 volume type per source");
            }
        }
    }

    /** A token is for an account ({@code validatePodMetadataAndSpec}). */
    private static void tokens(ObjectNode spec, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode volume : spec.path("volumes")) {
            FieldPath at =
                    path.child("volumes").index(index++).child("projected").child("sources");
            int number = 0;
            for (JsonNode source : volume.path("projected").path("sources")) {
                if (source.path("serviceAccountToken").isObject()) {
                    errors.forbidden(
                            at.index(number).child("serviceAccountToken"),
                            "must not be specified when serviceAccountName is not set");
                }
                number++;
            }
        }
    }

    /** A field of a pod, by its path ({@code validateObjectFieldSelector}). */
    private static void field(ObjectNode reference, List<String> fields, FieldPath path, FieldErrors errors) {
        String field = reference.path("fieldPath").asString("");
        String version = reference.path("apiVersion").asString("");
        if (field.isEmpty()) {
            errors.required(path.child("fieldPath"), "");
        } else if (!version.equals("v1")) {
            errors.invalid(
                    path.child("fieldPath"), field, "error converting fieldPath: unsupported pod version: " + version);
        } else if (field.startsWith("metadata.annotations['") || field.startsWith("metadata.labels['")) {
            String key = field.substring(
                    field.indexOf('\'') + 1, Math.max(field.lastIndexOf('\''), field.indexOf('\'') + 1));
            errors.invalid(path, key, Names.qualifiedName(key));
        } else {
            if (FIELDS_OF_VARIABLES.contains(field) || FIELDS_OF_FILES.contains(field)) {
                if (!fields.contains(field)) {
                    errors.notSupported(path.child("fieldPath"), field, fields);
                }
            } else {
                errors.invalid(
                        path.child("fieldPath"),
                        field,
                        "error converting fieldPath: field label not supported: " + field);
            }
        }
    }

    private static void volume(ObjectNode volume, FieldPath path, FieldErrors errors) {
        if (volume.path("emptyDir").path("sizeLimit").asString("").startsWith("-")) {
            errors.forbidden(
                    path.child("emptyDir").child("sizeLimit"), "SizeLimit field must be a valid resource quantity");
        }
        VolumeSources.check(volume, VolumeSources.OF_PODS, path, errors);
    }
}
