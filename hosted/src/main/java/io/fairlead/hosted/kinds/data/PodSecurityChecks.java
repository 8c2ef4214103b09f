package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of what pods may do on their nodes that compare fields (kubernetes {@code pkg/apis/core/validation}), by Go type. */
final class PodSecurityChecks {
    static final Map<String, Comparison> ALL = Map.of(
            "core/v1.PodSecurityContext", PodSecurityChecks::ofPod,
            "core/v1.SecurityContext", PodSecurityChecks::ofContainer,
            "core/v1.SeccompProfile", PodSecurityChecks::seccomp,
            "core/v1.AppArmorProfile", PodSecurityChecks::appArmor);

    private static final String CONTEXT = "securityContext";
    private static final String LOCAL = "localhostProfile";
    private static final List<String> SYSTEMS = List.of("linux", "windows");
    private static final String WINDOWS = "cannot be set for a windows pod";
    private static final String LINUX = "windows options cannot be set for a linux pod";
    private static final String OF_WINDOWS = "windowsOptions";
    private static final List<String> OF_LINUX = List.of("hostUsers", "hostPID", "hostIPC", "shareProcessNamespace");
    private static final List<String> OF_LINUX_PODS = List.of(
            "appArmorProfile",
            "seLinuxOptions",
            "seccompProfile",
            "fsGroup",
            "fsGroupChangePolicy",
            "sysctls",
            "runAsUser",
            "runAsGroup",
            "supplementalGroups",
            "supplementalGroupsPolicy",
            "seLinuxChangePolicy");
    private static final List<String> OF_LINUX_CONTAINERS = List.of(
            "appArmorProfile",
            "seLinuxOptions",
            "seccompProfile",
            "capabilities",
            "readOnlyRootFilesystem",
            "privileged",
            "allowPrivilegeEscalation",
            "procMount",
            "runAsUser",
            "runAsGroup");
    private static final int SYSCTL_CHARS_MAX = 253;
    private static final String SYSCTL_TEXT = "([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
    private static final Pattern SYSCTL =
            Pattern.compile("[a-z0-9]++(?:[-_]++[a-z0-9]++)*+(?:[./][a-z0-9]++(?:[-_]++[a-z0-9]++)*+)*+");

    private PodSecurityChecks() {}

    /** What the spec says of the node's namespaces and its system. */
    static void pod(ObjectNode spec, FieldPath path, FieldErrors errors) {
        boolean seesProcesses = spec.path("hostPID").asBoolean(false);
        JsonNode shares = spec.path("shareProcessNamespace");
        if (seesProcesses && shares.asBoolean(false)) {
            errors.invalid(
                    path.child(CONTEXT).child("shareProcessNamespace"),
                    shares,
                    "ShareProcessNamespace and HostPID cannot both be enabled");
        }
        boolean hasOwnUsers = !spec.path("hostUsers").asBoolean(true);
        if (hasOwnUsers) {
            forbidWith(spec.path("hostNetwork"), path.child("hostNetwork"), errors);
            forbidWith(spec.path("hostPID"), path.child("HostPID"), errors);
            forbidWith(spec.path("hostIPC"), path.child("HostIPC"), errors);
        }
        String system = spec.path("os").path("name").asString("");
        for (String list : List.of("containers", "initContainers", "ephemeralContainers")) {
            int index = 0;
            for (JsonNode container : spec.path(list)) {
                FieldPath at = path.child(list).index(index++).child(CONTEXT);
                JsonNode context = container.path(CONTEXT);
                containerOfOtherSystem(context, system, at, errors);
                JsonNode mount = context.path("procMount");
                if (!hasOwnUsers && mount.asString("").equals("Unmasked")) {
                    errors.invalid(at.child("procMount"), mount, "`hostUsers` must be false to use `Unmasked`");
                }
            }
        }
        if (spec.path("os").isObject()) {
            system(system, path.child("os"), errors);
            ofOtherSystem(spec, system, path, errors);
        }
    }

    private static void forbidWith(JsonNode isOfHost, FieldPath path, FieldErrors errors) {
        if (isOfHost.asBoolean(false)) {
            errors.forbidden(path, "when `hostUsers` is false");
        }
    }

    private static void system(String name, FieldPath path, FieldErrors errors) {
        if (name.isEmpty()) {
            errors.required(path.child("name"), "");
        } else if (!SYSTEMS.contains(name)) {
            errors.notSupported(path, name, SYSTEMS);
        }
    }

    /** What only the other system has ({@code validateWindows}, {@code validateLinux}). */
    private static void ofOtherSystem(ObjectNode spec, String name, FieldPath path, FieldErrors errors) {
        if (name.equals("windows")) {
            OF_LINUX.forEach(field -> forbid(spec, field, path, WINDOWS, errors));
            OF_LINUX_PODS.forEach(field -> forbid(spec.path(CONTEXT), field, path.child(CONTEXT), WINDOWS, errors));
        } else if (name.equals("linux")) {
            forbid(spec.path(CONTEXT), OF_WINDOWS, path.child(CONTEXT), LINUX, errors);
        }
    }

    private static void containerOfOtherSystem(JsonNode context, String name, FieldPath path, FieldErrors errors) {
        if (name.equals("windows")) {
            OF_LINUX_CONTAINERS.forEach(field -> forbid(context, field, path, WINDOWS, errors));
        } else if (name.equals("linux")) {
            forbid(context, OF_WINDOWS, path, LINUX, errors);
        }
    }

    private static void forbid(JsonNode object, String field, FieldPath path, String detail, FieldErrors errors) {
        JsonNode value = object.path(field);
        boolean isOpen = value.isMissingNode() || value.isNull() || (value.isArray() && value.isEmpty());
        if (!isOpen) {
            errors.forbidden(path.child(field), detail);
        }
    }

    private static void ofPod(ObjectNode context, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode group : context.path("supplementalGroups")) {
            FieldPath at = path.child("supplementalGroups").index(index++);
            if (group.asLong(0) < 0 || group.asLong(0) > Integer.MAX_VALUE) {
                errors.invalid(at, group, "must be between 0 and " + Integer.MAX_VALUE + ", inclusive");
            }
        }
        Set<String> names = new HashSet<>();
        index = 0;
        for (JsonNode setting : context.path("sysctls")) {
            FieldPath at = path.child("sysctls").index(index++).child("name");
            String name = setting.path("name").asString("");
            if (name.isEmpty()) {
                errors.required(at, "");
            } else if (name.length() > SYSCTL_CHARS_MAX || !SYSCTL.matcher(name).matches()) {
                errors.invalid(
                        at,
                        name,
                        "must have at most " + SYSCTL_CHARS_MAX + " characters and match regex ^" + SYSCTL_TEXT + "$");
            } else if (!names.add(name)) {
                errors.duplicate(at, name);
            }
        }
    }

    /** What must not gain privileges has none from the start. */
    private static void ofContainer(ObjectNode context, FieldPath path, FieldErrors errors) {
        if (context.path("allowPrivilegeEscalation").asBoolean(true)) {
            return;
        }
        if (context.path("privileged").asBoolean(false)) {
            errors.invalid(
                    path, inGo(context), "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
        }
        boolean isAdmin = context.path("capabilities")
                .path("add")
                .valueStream()
                .anyMatch(capability -> capability.asString("").equals("CAP_SYS_ADMIN"));
        if (isAdmin) {
            errors.invalid(
                    path,
                    inGo(context),
                    "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
        }
    }

    private static JsonNode inGo(ObjectNode context) {
        return GoText.struct(
                context,
                "Capabilities",
                "Privileged",
                "SELinuxOptions",
                "WindowsOptions",
                "RunAsUser",
                "RunAsGroup",
                "RunAsNonRoot",
                "ReadOnlyRootFilesystem",
                "AllowPrivilegeEscalation",
                "ProcMount",
                "SeccompProfile",
                "AppArmorProfile");
    }

    private static void seccomp(ObjectNode profile, FieldPath path, FieldErrors errors) {
        JsonNode local = profile.path(LOCAL);
        FieldPath at = path.child(LOCAL);
        if (!profile.path("type").asString("").equals("Localhost")) {
            if (local.isString()) {
                errors.invalid(
                        at,
                        GoText.struct(profile, "Type", "LocalhostProfile"),
                        "can only be set when seccomp type is Localhost");
            }
        } else if (local.isString()) {
            errors.invalid(at, local, TextForm.DESCENDING_PATH.problems(local.stringValue()));
        } else {
            errors.required(at, "must be set when seccomp type is Localhost");
        }
    }

    private static void appArmor(ObjectNode profile, FieldPath path, FieldErrors errors) {
        JsonNode local = profile.path(LOCAL);
        String name = local.asString("");
        FieldPath at = path.child(LOCAL);
        switch (profile.path("type").asString("")) {
            case "Localhost" -> {
                if (!name.strip().equals(name)) {
                    errors.invalid(at, name, "must not be padded with whitespace");
                } else if (name.isEmpty()) {
                    errors.required(at, "must be set when AppArmor type is Localhost");
                }
            }
            case "RuntimeDefault", "Unconfined" -> {
                if (local.isString()) {
                    errors.invalid(at, local, "can only be set when AppArmor type is Localhost");
                }
            }
            default -> {}
        }
    }
}
