package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of network policies and ranges of addresses that compare fields (kubernetes {@code pkg/apis/networking/validation}), by Go type. */
final class NetworkPolicyChecks {
    static final Map<String, Comparison> ALL = Map.of(
            "networking/v1.NetworkPolicySpec", NetworkPolicyChecks::policy,
            "networking/v1.NetworkPolicyPort", NetworkPolicyChecks::policyPort,
            "networking/v1.NetworkPolicyPeer", NetworkPolicyChecks::policyPeer,
            "networking/v1.IPBlock", NetworkPolicyChecks::block,
            "networking/v1.ServiceCIDRSpec", NetworkPolicyChecks::ranges);

    private static final int PORT_MAX = 65_535;

    private NetworkPolicyChecks() {}

    private static void policy(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode types = spec.path("policyTypes");
        if (types.size() > 2) {
            errors.invalid(path.child("policyTypes"), types, "may not specify more than two policyTypes");
            return;
        }
        int index = 0;
        for (JsonNode type : types) {
            String text = type.asString("");
            if (!text.equals("Ingress") && !text.equals("Egress")) {
                errors.notSupported(path.child("policyTypes").index(index), type, List.of("Ingress", "Egress"));
            }
            index++;
        }
    }

    private static void policyPort(ObjectNode object, FieldPath path, FieldErrors errors) {
        JsonNode port = object.path("port");
        JsonNode end = object.path("endPort");
        if (!end.isNumber()) {
            return;
        }
        if (end.asLong(0) < 1 || end.asLong(0) > PORT_MAX) {
            errors.invalid(path.child("endPort"), end, "must be between 1 and " + PORT_MAX + ", inclusive");
        }
        if (port.isNumber()) {
            if (end.asLong(0) < port.asLong(0)) {
                errors.invalid(path.child("endPort"), port, "must be greater than or equal to `port`");
            }
        } else {
            String state = port.isString() ? "non-numeric" : "not specified";
            errors.invalid(path.child("endPort"), end, "may not be specified when `port` is " + state);
        }
    }

    private static void policyPeer(ObjectNode peer, FieldPath path, FieldErrors errors) {
        boolean selects = peer.path("podSelector").isObject()
                || peer.path("namespaceSelector").isObject();
        boolean isBlock = peer.path("ipBlock").isObject();
        if (!selects && !isBlock) {
            errors.required(path, "must specify a peer");
        } else if (selects && isBlock) {
            errors.forbidden(path, "may not specify both ipBlock and another peer");
        }
    }

    /** What is left out of a range is part of it ({@code ValidateIPBlock}). */
    private static void block(ObjectNode block, FieldPath path, FieldErrors errors) {
        String text = block.path("cidr").asString("");
        if (text.isEmpty()) {
            errors.required(path.child("cidr"), "");
            return;
        }
        errors.invalid(path.child("cidr"), text, TextForm.CIDR.problems(text));
        Optional<IpPrefix> whole = IpPrefix.of(text);
        int index = 0;
        for (JsonNode part : block.path("except")) {
            FieldPath at = path.child("except").index(index++);
            List<String> problems = TextForm.CIDR.problems(part.asString(""));
            errors.invalid(at, part, problems);
            boolean isPart = IpPrefix.of(part.asString(""))
                    .flatMap(inner -> whole.map(outer -> outer.holdsPart(inner)))
                    .orElse(true);
            if (!isPart) {
                errors.invalid(at, part, "must be a strict subset of `cidr`");
            }
        }
    }

    private static void ranges(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode ranges = spec.path("cidrs");
        FieldPath at = path.child("cidrs");
        if (ranges.size() > 2) {
            errors.invalid(at, Json.nodes().pojoNode("{\"CIDRs\":" + ranges + "}"), "may only hold up to 2 values");
            return;
        }
        boolean isSame = ranges.size() == 2
                && ranges.get(0).asString("").contains(":")
                        == ranges.get(1).asString("").contains(":");
        if (isSame) {
            errors.invalid(
                    at,
                    ranges,
                    "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
        }
        int index = 0;
        for (JsonNode range : ranges) {
            FieldPath one = at.index(index++);
            errors.invalid(one, range, TextForm.CIDR.problems(range.asString("")));
        }
    }
}
