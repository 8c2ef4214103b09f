package io.fairlead.hosted.cluster;

import io.fairlead.hosted.AdmissionHook.Review;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The families of a service's addresses, of which clusters have IPv4 alone (kubernetes {@code registry/core/service/storage/alloc.go},
 * {@code initIPFamilyFields}).
 */
final class IpFamilies {
    private static final String FAMILIES = "ipFamilies";
    private static final String POLICY = "ipFamilyPolicy";
    private static final String IPV4 = "IPv4";
    private static final String IPV6 = "IPv6";
    private static final String SINGLE = "SingleStack";
    private static final String DUAL = "RequireDualStack";
    private static final Set<String> POLICIES = Set.of(SINGLE, "PreferDualStack", DUAL);
    private static final FieldPath SPEC = FieldPath.of("spec");

    private IpFamilies() {}

    /**
     * Fills in what a client left out, and refuses what clusters do not have.
     *
     * @param old the stored spec
     * @param addresses those that the client chose
     */
    static void complete(Review review, ObjectNode spec, JsonNode old, JsonNode addresses) {
        boolean isDetached = addresses.path(0).asString("").equals("None")
                && spec.path("selector").isEmpty();
        if (!spec.has(POLICY)) {
            spec.put(POLICY, isDetached ? DUAL : SINGLE);
        }
        ArrayNode families = spec.withArrayProperty(FAMILIES);
        if (!areKnown(spec.path(POLICY), families)) {
            return; // validation refuses them
        }
        FieldErrors errors = new FieldErrors();
        if (addresses.size() > 2) {
            errors.invalid(SPEC.child("clusterIPs"), addresses, "may only hold up to 2 values");
        } else if (addresses.size() > 1
                && addresses.valueStream().map(IpFamilies::isIpv6).distinct().count() == 1) {
            errors.invalid(SPEC.child("clusterIPs"), addresses, "may specify no more than one IP for each IP family");
        }
        errors.throwIfAny("", "Service", review.name());
        release(spec, families, old.path(FAMILIES), errors);
        one(spec, families, addresses, errors);
        errors.throwIfAny("", "Service", review.name());
        if (families.isEmpty()) {
            families.add(IPV4);
        }
        if (!isDetached) {
            available(spec, families, errors);
            errors.throwIfAny("", "Service", review.name());
        } else if (families.size() == 1 && !isSingle(spec)) {
            // Endpoints that a client writes itself may be of either family.
            families.add(families.get(0).asString("").equals(IPV4) ? IPV6 : IPV4);
        }
    }

    private static boolean isSingle(ObjectNode spec) {
        return spec.path(POLICY).asString("").equals(SINGLE);
    }

    private static boolean isIpv6(JsonNode address) {
        return address.asString("").contains(":");
    }

    private static boolean areKnown(JsonNode policy, ArrayNode families) {
        Set<String> different = new HashSet<>();
        families.forEach(family -> different.add(family.asString("")));
        return POLICIES.contains(policy.asString(""))
                && different.size() == families.size()
                && Set.of(IPV4, IPV6).containsAll(different);
    }

    /** A client that says that one family is enough need not say which. */
    private static void release(ObjectNode spec, ArrayNode families, JsonNode before, FieldErrors errors) {
        if (isSingle(spec)) {
            if (families.size() > 1 && families.equals(before)) {
                families.remove(1);
            }
        } else if (!families.isEmpty() && families.size() < before.size()) {
            errors.invalid(
                    SPEC.child(POLICY), spec.path(POLICY), "must be 'SingleStack' to release the secondary IP family");
        }
    }

    private static void one(ObjectNode spec, ArrayNode families, JsonNode addresses, FieldErrors errors) {
        String several = "must be 'RequireDualStack' or 'PreferDualStack' when multiple ";
        if (isSingle(spec) && addresses.size() == 2) {
            errors.invalid(SPEC.child(POLICY), spec.path(POLICY), several + "cluster IPs are specified");
        }
        if (isSingle(spec) && families.size() == 2) {
            errors.invalid(SPEC.child(POLICY), spec.path(POLICY), several + "IP families are specified");
        }
        for (int i = families.size(); i < addresses.size(); i++) {
            if (isIpv6(addresses.get(i))) {
                errors.invalid(
                        SPEC.child("clusterIPs").index(i), addresses, IPV6 + " is not configured on this cluster");
            }
        }
    }

    private static void available(ObjectNode spec, ArrayNode families, FieldErrors errors) {
        JsonNode policy = spec.path(POLICY);
        if (policy.asString("").equals(DUAL)) {
            errors.invalid(SPEC.child(POLICY), policy, "this cluster is not configured for dual-stack services");
        }
        for (int i = 0; i < families.size(); i++) {
            if (families.get(i).asString("").equals(IPV6)) {
                errors.invalid(SPEC.child(FAMILIES).index(i), families.get(i), "not configured on this cluster");
            }
        }
    }

    /**
     * Takes from a service that is a mere name what it had as another; what a client adds to it is left for validation to refuse.
     *
     * @param old the stored spec
     */
    static void leave(ObjectNode spec, JsonNode old) {
        List<String> addresses = List.of("clusterIP", "clusterIPs");
        if (addresses.stream().allMatch(field -> spec.path(field).equals(old.path(field)))) {
            spec.remove(addresses);
        }
        for (String field : List.of(FAMILIES, POLICY)) {
            if (spec.path(field).equals(old.path(field))) {
                spec.remove(field);
            }
        }
        JsonNode address = spec.path("clusterIP");
        if (!address.asString("").isEmpty() && !spec.has("clusterIPs")) {
            spec.putArray("clusterIPs").add(address);
        }
    }
}
