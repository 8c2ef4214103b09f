package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.Names;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of what services have as load balancers alone (kubernetes {@code pkg/apis/core/validation}). */
public final class BalancerChecks {
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final String CLASS = "loadBalancerClass";
    private static final String HEALTH_CHECK = "healthCheckNodePort";
    private static final String ONLY_OF_BALANCERS = "may only be used when `type` is 'LoadBalancer'";

    private BalancerChecks() {}

    static void service(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode healthCheck = spec.path(HEALTH_CHECK);
        if (!isHealthChecked(spec) && healthCheck.asLong(0) != 0) {
            errors.invalid(
                    path.child(HEALTH_CHECK),
                    healthCheck,
                    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
        }
        if (!isBalancer(spec)) {
            for (String field : List.of("allocateLoadBalancerNodePorts", CLASS)) {
                if (spec.has(field)) {
                    errors.forbidden(path.child(field), ONLY_OF_BALANCERS);
                }
            }
            if (!spec.path("loadBalancerSourceRanges").isEmpty()) {
                errors.forbidden(path.child("LoadBalancerSourceRanges"), ONLY_OF_BALANCERS);
            }
        } else if (spec.has(CLASS)) {
            String name = spec.path(CLASS).asString("");
            errors.invalid(path.child(CLASS), name, Names.qualifiedName(name));
        }
    }

    static void update(JsonNode spec, JsonNode old, FieldErrors errors) {
        if (isBalancer(spec) && isBalancer(old) && !spec.path(CLASS).equals(old.path(CLASS))) {
            errors.invalid(SPEC.child(CLASS), spec.path(CLASS), "may not change once set");
        }
        long before = old.path(HEALTH_CHECK).asLong(0);
        if (isHealthChecked(spec)
                && isHealthChecked(old)
                && before != 0
                && spec.path(HEALTH_CHECK).asLong(0) != before) {
            errors.forbidden(SPEC.child(HEALTH_CHECK), "field is immutable");
        }
    }

    /** The status of a service that is no load balancer has none of its addresses. */
    static void status(ObjectNode service, FieldErrors errors) {
        if (!isBalancer(service.path("spec"))
                && !service.at("/status/loadBalancer/ingress").isEmpty()) {
            errors.forbidden(
                    FieldPath.of("status", "loadBalancer", "ingress"),
                    "may only be used when `spec.type` is 'LoadBalancer'");
        }
    }

    static void ingress(ObjectNode ingress, FieldPath path, FieldErrors errors) {
        String address = ingress.path("ip").asString("");
        JsonNode mode = ingress.path("ipMode");
        if (!address.isEmpty()) {
            errors.invalid(path.child("ip"), address, TextForm.IP.problems(address));
        }
        if (mode.isString() && address.isEmpty()) {
            errors.forbidden(path.child("ipMode"), "may not be specified when `ip` is not set");
        } else if (mode.isString() && !List.of("Proxy", "VIP").contains(mode.stringValue())) {
            errors.notSupported(path.child("ipMode"), mode, List.of("Proxy", "VIP"));
        }
        String name = ingress.path("hostname").asString("");
        if (!name.isEmpty()) {
            FieldPath at = path.child("hostname");
            errors.invalid(at, name, Names.dns1123Subdomain(name));
            if (TextForm.address(name).isPresent()) {
                errors.invalid(at, name, "must be a DNS name, not an IP address");
            }
        }
    }

    /** What is wrong with a text that should be an IP address. */
    public static List<String> addressProblems(String text) {
        return TextForm.IP.problems(text);
    }

    public static boolean isBalancer(JsonNode spec) {
        return spec.path("type").asString("").equals("LoadBalancer");
    }

    /** Whether nodes say at a port of their own that they have endpoints: a load balancer then sends to no others. */
    public static boolean isHealthChecked(JsonNode spec) {
        return isBalancer(spec)
                && spec.path("externalTrafficPolicy").asString("").equals("Local");
    }
}
