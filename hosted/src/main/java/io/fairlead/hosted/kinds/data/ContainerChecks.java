package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Checks of single containers of a pod that compare fields (kubernetes {@code validateContainerCommon}). */
final class ContainerChecks {
    private static final List<String> PROPAGATIONS = List.of("Bidirectional", "HostToContainer", "None");
    private static final List<String> RECURSIONS = List.of("Disabled", "Enabled", "IfPossible");
    private static final List<String> RESIZED = List.of("cpu", "memory");
    private static final List<String> RESIZE_POLICIES = List.of("NotRequired", "RestartContainer");

    private ContainerChecks() {}

    static void check(JsonNode container, JsonNode pod, FieldPath path, FieldErrors errors) {
        environments(container.path("envFrom"), path.child("envFrom"), errors);
        resizing(container.path("resizePolicy"), pod, path.child("resizePolicy"), errors);
        claims(container.path("resources"), pod, path.child("resources").child("claims"), errors);
        JsonNode grace = container.path("readinessProbe").path("terminationGracePeriodSeconds");
        if (grace.isNumber()) {
            errors.invalid(
                    path.child("readinessProbe").child("terminationGracePeriodSeconds"),
                    grace,
                    "must not be set for readinessProbes");
        }
        for (String hook : List.of("postStart", "preStop")) {
            sleep(
                    container.path("lifecycle").path(hook).path("sleep").path("seconds"),
                    pod.path("terminationGracePeriodSeconds").asLong(0),
                    path.child("lifecycle").child(hook).child("sleep"),
                    errors);
        }
        if (!container.path("restartPolicyRules").isEmpty()
                && container.path("restartPolicy").asString("").isEmpty()) {
            errors.required(path.child("restartPolicy"), "must specify restartPolicy when restart rules are used");
        }
    }

    /** Templates may have what pods may not. */
    static void ofPod(JsonNode container, FieldPath path, FieldErrors errors) {
        String image = container.path("image").asString("");
        if (!image.strip().equals(image)) {
            errors.invalid(path.child("image"), image, "must not have leading or trailing whitespace");
        }
    }

    private static void environments(JsonNode sources, FieldPath path, FieldErrors errors) {
        for (JsonNode source : sources) {
            boolean isMap = source.path("configMapRef").isObject();
            boolean isSecret = source.path("secretRef").isObject();
            if (!isMap && !isSecret) {
                errors.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`");
            } else if (isMap && isSecret) {
                errors.invalid(path, "", "may not have more than one field specified at a time");
            }
        }
    }

    private static void resizing(JsonNode policies, JsonNode pod, FieldPath path, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        boolean endsOnce = pod.path("restartPolicy").asString("").equals("Never");
        int index = 0;
        for (JsonNode item : policies) {
            String name = item.path("resourceName").asString("");
            String policy = item.path("restartPolicy").asString("");
            if (!names.add(name)) {
                errors.duplicate(path.index(index), name);
            }
            oneOf(name, RESIZED, path, errors);
            oneOf(policy, RESIZE_POLICIES, path, errors);
            if (endsOnce && !policy.equals("NotRequired")) {
                errors.invalid(path, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
            }
            index++;
        }
    }

    private static void oneOf(String text, List<String> supported, FieldPath path, FieldErrors errors) {
        if (text.isEmpty()) {
            errors.required(path, "");
        } else if (!supported.contains(text)) {
            errors.notSupported(path, text, supported);
        }
    }

    private static void sleep(JsonNode seconds, long grace, FieldPath path, FieldErrors errors) {
        if (seconds.isNumber() && (seconds.asLong(0) < 0 || seconds.asLong(0) > grace)) {
            errors.invalid(
                    path, seconds, "must be non-negative and less than terminationGracePeriodSeconds (" + grace + ")");
        }
    }

    /** What a container claims is among the claims of its pod. */
    static void claims(JsonNode resources, JsonNode pod, FieldPath path, FieldErrors errors) {
        JsonNode claims = resources.path("claims");
        if (claims.isEmpty()) {
            return;
        }
        Set<String> known = new HashSet<>();
        pod.path("resourceClaims").forEach(claim -> known.add(claim.path("name").asString("")));
        int index = 0;
        for (JsonNode claim : claims) {
            String name = claim.path("name").asString("");
            if (name.isEmpty()) {
                errors.required(path.index(index), "");
            } else if (!known.contains(name)) {
                errors.add(notClaimed(path.index(index), name, known.isEmpty()));
            }
            index++;
        }
    }

    private static FieldError notClaimed(FieldPath path, String name, boolean isNone) {
        return new FieldError(
                FieldError.Type.NOT_FOUND,
                path.toString(),
                Json.nodes().stringNode(name),
                "must be one of the names in pod.spec.resourceClaims" + (isNone ? " which is empty" : ""));
    }

    /** Each claim of a pod has a name and says where it comes from ({@code validatePodResourceClaim}). */
    static void claimsOfPod(JsonNode claims, FieldPath path, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode claim : claims) {
            FieldPath at = path.index(index++);
            String name = claim.path("name").asString("");
            if (name.isEmpty()) {
                errors.required(at.child("name"), "");
            } else if (!names.add(name)) {
                errors.duplicate(at.child("name"), name);
            } else {
                errors.invalid(at.child("name"), name, TextForm.LABEL.problems(name));
            }
            boolean isNamed = claim.path("resourceClaimName").isString();
            boolean isMade = claim.path("resourceClaimTemplateName").isString();
            if (isNamed == isMade) {
                errors.invalid(
                        at,
                        GoText.struct(claim, "Name", "ResourceClaimName", "ResourceClaimTemplateName"),
                        isNamed
                                ? "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
                                : "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
            }
        }
    }

    /** How a volume is mounted ({@code ValidateVolumeMounts}), at the path of the mounts as a whole. */
    static void mount(JsonNode mount, JsonNode container, FieldPath path, FieldErrors errors) {
        String within = mount.path("subPath").asString("");
        if (!within.isEmpty()) {
            errors.invalid(path.child("subPath"), within, TextForm.DESCENDING_PATH.problems(within));
        }
        JsonNode propagation = mount.path("mountPropagation");
        String mode = propagation.asString("");
        if (propagation.isString()) {
            if (!PROPAGATIONS.contains(mode)) {
                errors.notSupported(path.child("mountPropagation"), mode, PROPAGATIONS);
            }
            if (mode.equals("Bidirectional")
                    && !container.path("securityContext").path("privileged").asBoolean(false)) {
                errors.forbidden(
                        path.child("mountPropagation"),
                        "Bidirectional mount propagation is available only to privileged containers");
            }
        }
        JsonNode recursion = mount.path("recursiveReadOnly");
        FieldPath at = path.child("recursiveReadOnly");
        if (!recursion.isString() || recursion.stringValue().equals("Disabled")) {
            return;
        }
        if (!RECURSIONS.contains(recursion.stringValue())) {
            errors.notSupported(at, recursion, RECURSIONS);
            return;
        }
        if (!mount.path("readOnly").asBoolean(false)) {
            errors.forbidden(at, "may only be specified when readOnly is true");
        }
        if (propagation.isString() && !mode.equals("None")) {
            errors.forbidden(at, "may only be specified when mountPropagation is None or not specified");
        }
    }

    /** Devices are of volumes that claims may give ({@code ValidateVolumeDevices}). */
    static void devices(JsonNode devices, Set<String> volumes, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode device : devices) {
            FieldPath at = path.index(index++);
            String name = device.path("name").asString("");
            if (name.isEmpty()) {
                errors.required(at.child("name"), "");
            }
            if (!volumes.contains(name)) {
                errors.notFound(at.child("name"), name);
            }
            if (device.path("devicePath").asString("").isEmpty()) {
                errors.required(at.child("devicePath"), "");
            }
        }
    }
}
