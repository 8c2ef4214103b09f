package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Amounts of resources that a container is told of (kubernetes {@code validateContainerResourceFieldSelector}). */
final class ResourceFields {
    private static final List<String> RESOURCES = List.of(
            "limits.cpu",
            "limits.ephemeral-storage",
            "limits.memory",
            "requests.cpu",
            "requests.ephemeral-storage",
            "requests.memory");
    private static final Set<String> PARTS_OF_CPU = Set.of("1m", "1");
    private static final Set<String> PARTS =
            Set.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");
    private static final String ONLY_PARTS =
            "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the ";

    private ResourceFields() {}

    /** @param ofFile whether it is for a file in a volume, which must name the container */
    static void check(ObjectNode reference, boolean ofFile, FieldPath path, FieldErrors errors) {
        String resource = reference.path("resource").asString("");
        boolean isPages = resource.startsWith("limits.hugepages-") || resource.startsWith("requests.hugepages-");
        if (ofFile && reference.path("containerName").asString("").isEmpty()) {
            errors.required(path.child("containerName"), "");
        } else if (resource.isEmpty()) {
            errors.required(path.child("resource"), "");
        } else if (!RESOURCES.contains(resource) && !isPages) {
            errors.notSupported(path.child("resource"), resource, RESOURCES);
        }
        String divisor = reference.path("divisor").asString("0");
        if (divisor.equals("0") || divisor.isEmpty()) {
            return;
        }
        if (resource.endsWith(".cpu")) {
            if (!PARTS_OF_CPU.contains(divisor)) {
                errors.invalid(
                        path.child("divisor"),
                        resource,
                        "only divisor's values 1m and 1 are supported with the cpu resource");
            }
        } else if (!PARTS.contains(divisor) && (isPages || RESOURCES.contains(resource))) {
            String unit = isPages ? "hugepages" : resource.endsWith(".memory") ? "memory" : "local ephemeral storage";
            errors.invalid(path.child("divisor"), resource, ONLY_PARTS + unit + " resource");
        }
    }
}
