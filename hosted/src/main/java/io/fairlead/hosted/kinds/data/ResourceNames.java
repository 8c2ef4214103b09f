package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.List;
import java.util.Set;

/** What resources may be named (kubernetes {@code pkg/apis/core/validation}, {@code validateResourceName} and those that use it). */
final class ResourceNames {
    private static final Set<String> OF_CONTAINERS = Set.of("cpu", "memory", "ephemeral-storage");
    private static final List<String> OF_PODS = List.of("cpu", "hugepages-", "memory");
    private static final String REQUESTS = "requests.";
    private static final Set<String> MEASURED = Set.of(
            "cpu",
            "memory",
            "ephemeral-storage",
            "requests.cpu",
            "requests.memory",
            "requests.storage",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage");

    private ResourceNames() {}

    /** Whether quotas know it ({@code IsStandardQuotaResourceName}). */
    static boolean isOfQuotas(String name) {
        return MEASURED.contains(name)
                || Resources.COUNTED.contains(name)
                || Resources.isHugePage(name)
                || name.startsWith(REQUESTS + "hugepages-");
    }

    /** A standard one, or one with a prefix; whether it is. */
    static boolean any(String name, FieldPath path, FieldErrors errors) {
        List<String> problems = TextForm.QUALIFIED.problems(name);
        errors.invalid(path, name, problems);
        if (problems.isEmpty() && isUnknown(name)) {
            errors.invalid(path, name, "must be a standard resource type or fully qualified");
            return false;
        }
        return problems.isEmpty();
    }

    private static boolean isUnknown(String name) {
        return !name.contains("/") && !name.equals("storage") && !isOfQuotas(name);
    }

    /** One that containers may have ({@code validateContainerResourceName}). */
    static void ofContainer(String name, FieldPath path, FieldErrors errors) {
        any(name, path, errors);
        boolean isPrefixed = name.contains("/");
        if (!isPrefixed && !OF_CONTAINERS.contains(name) && !Resources.isHugePage(name)) {
            errors.invalid(path, name, "must be a standard resource for containers");
        } else if (isPrefixed && !Resources.isNative(name) && !mayBeExtended(name)) {
            errors.invalid(path, name, "doesn't follow extended resource name standard");
        }
    }

    /** It has a name in quotas, too ({@code IsExtendedResourceName}). */
    private static boolean mayBeExtended(String name) {
        return !name.startsWith(REQUESTS)
                && TextForm.QUALIFIED.problems(REQUESTS + name).isEmpty();
    }

    /** One that a pod may have as a whole ({@code validatePodResourceName}). */
    static void ofPod(String name, FieldPath path, FieldErrors errors) {
        if (any(name, path, errors) && !isOfPods(name)) {
            errors.notSupported(path, name, OF_PODS);
        }
    }

    static boolean isOfPods(String name) {
        return OF_PODS.contains(name) || Resources.isHugePage(name);
    }

    /** One that a quota may limit ({@code ValidateResourceQuotaResourceName}). */
    static void ofQuota(String name, FieldPath path, FieldErrors errors) {
        any(name, path, errors);
        if (!name.contains("/") && !isOfQuotas(name)) {
            errors.invalid(path, name, "must be a standard resource for quota");
        }
    }
}
