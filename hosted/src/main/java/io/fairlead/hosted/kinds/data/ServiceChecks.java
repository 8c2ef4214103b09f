package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of how services are reached from outside (kubernetes {@code ValidateService}). */
final class ServiceChecks {
    private static final FieldPath RANGES =
            FieldPath.of("metadata", "annotations").key("service.beta.kubernetes.io/load-balancer-source-ranges");
    private static final List<String> POLICIES = List.of("Cluster", "Local");
    private static final List<String> FAMILIES = List.of("IPv4", "IPv6");

    static final Map<String, Comparisons.Comparison> ALL = Map.of("core/v1.Service", ServiceChecks::annotation);

    private ServiceChecks() {}

    /** @param isOpen whether it can be reached from outside */
    static void outside(ObjectNode spec, boolean isOpen, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode address : spec.path("externalIPs")) {
            FieldPath at = path.child("externalIPs").index(index++);
            List<String> problems = TextForm.IP.problems(address.asString(""));
            errors.invalid(at, address, problems);
            if (problems.isEmpty()) {
                NetworkChecks.endpointAddress(address.asString(""), at, errors);
                TextForm.address(address.asString(""))
                        .filter(ip -> ip.isLoopbackAddress())
                        .ifPresent(ip ->
                                errors.invalid(at, address, "may not be in the loopback range (127.0.0.0/8, ::1/128)"));
            }
        }
        JsonNode policy = spec.path("externalTrafficPolicy");
        if (!policy.asString("").isEmpty()) {
            if (!isOpen) {
                errors.invalid(
                        path.child("externalTrafficPolicy"),
                        policy,
                        "may only be set for externally-accessible services");
            } else if (!POLICIES.contains(policy.asString(""))) {
                errors.notSupported(path.child("externalTrafficPolicy"), policy, POLICIES);
            }
        }
        if (BalancerChecks.isBalancer(spec)) {
            index = 0;
            for (JsonNode range : spec.path("loadBalancerSourceRanges")) {
                FieldPath at = path.child("LoadBalancerSourceRanges").index(index++);
                errors.invalid(
                        at, range, TextForm.CIDR.problems(range.asString("").strip()));
            }
        }
    }

    static void families(JsonNode families, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode family : families) {
            if (!FAMILIES.contains(family.asString(""))) {
                errors.notSupported(path.index(index), family, FAMILIES);
            }
            index++;
        }
    }

    /** Ranges were once given by an annotation ({@code ValidateLoadBalancerSourceRanges}). */
    private static void annotation(ObjectNode service, FieldPath path, FieldErrors errors) {
        String text = service.at("/metadata/annotations")
                .path("service.beta.kubernetes.io/load-balancer-source-ranges")
                .asString("")
                .strip();
        boolean isUsed = BalancerChecks.isBalancer(service.path("spec"))
                && service.at("/spec/loadBalancerSourceRanges").isEmpty()
                && !text.isEmpty();
        if (isUsed) {
            for (String range : text.split(",", -1)) {
                errors.invalid(RANGES, text, TextForm.CIDR.problems(range.strip()));
            }
        }
    }
}
