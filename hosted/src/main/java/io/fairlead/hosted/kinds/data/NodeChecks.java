package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.meta.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of nodes (kubernetes {@code ValidateNode}, {@code ValidateNodeUpdate}). */
final class NodeChecks {
    static final Map<String, Comparison> ALL =
            Map.of("core/v1.Node", NodeChecks::node, "core/v1.NodeStatus", NodeChecks::amounts);

    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final String ONCE = "node updates may not change %s except from \"\" to valid";

    private NodeChecks() {}

    private static void node(ObjectNode node, FieldPath path, FieldErrors errors) {
        taints(node.path("spec").path("taints"), path.child("metadata").child("taints"), errors);
        prefixes(node.path("spec").path("podCIDRs"), SPEC.child("podCIDRs"), errors);
    }

    /** They stand in the spec; what is wrong is said of the metadata, where they once were. */
    private static void taints(JsonNode taints, FieldPath path, FieldErrors errors) {
        Set<String> seen = new HashSet<>();
        int index = 0;
        for (JsonNode taint : taints) {
            FieldPath at = path.index(index++);
            String key = taint.path("key").asString("");
            String value = taint.path("value").asString("");
            String effect = taint.path("effect").asString("");
            errors.invalid(at.child("key"), key, Names.qualifiedName(key));
            List<String> problems = Names.labelValue(value);
            if (!problems.isEmpty()) {
                errors.invalid(at.child("value"), value, String.join(";", problems));
            }
            if (effect.isEmpty()) {
                errors.required(at.child("effect"), "");
            } else if (!EFFECTS.contains(effect)) {
                errors.notSupported(at.child("effect"), effect, EFFECTS);
            }
            if (!seen.add(effect + "/" + key)) {
                ObjectNode shown = ((ObjectNode) taint).deepCopy().put("value", value);
                errors.add(new FieldError(
                        FieldError.Type.DUPLICATE,
                        at.toString(),
                        GoText.struct(shown, "Key", "Value", "Effect", "TimeAdded"),
                        "taints must be unique by key and effect pair"));
            }
        }
    }

    private static void prefixes(JsonNode prefixes, FieldPath path, FieldErrors errors) {
        int index = 0;
        boolean isPair = prefixes.size() == 2
                && prefixes.get(0).asString("").contains(":")
                        != prefixes.get(1).asString("").contains(":");
        for (JsonNode prefix : prefixes) {
            FieldPath at = path.index(index++);
            errors.invalid(at, prefix, TextForm.CIDR.problems(prefix.asString("")));
        }
        if (prefixes.size() > 1 && !isPair) {
            errors.invalid(path, prefixes, "may specify no more than one CIDR for each IP family");
        }
    }

    private static void amounts(ObjectNode status, FieldPath path, FieldErrors errors) {
        for (String member : List.of("capacity", "allocatable")) {
            status.path(member)
                    .forEachEntry((name, amount) ->
                            Resources.amount(name, amount, path.child(member).child(name), errors));
        }
    }

    static void update(JsonNode node, JsonNode stored, FieldErrors errors) {
        addresses(node.path("status").path("addresses"), errors);
        JsonNode spec = node.path("spec");
        JsonNode old = stored.path("spec");
        JsonNode prefixes = old.path("podCIDRs");
        if (!prefixes.isEmpty() && !prefixes.equals(spec.path("podCIDRs"))) {
            errors.forbidden(SPEC.child("podCIDRs"), ONCE.formatted("podCIDR"));
        }
        String provider = old.path("providerID").asString("");
        if (!provider.isEmpty() && !provider.equals(spec.path("providerID").asString(""))) {
            errors.forbidden(SPEC.child("providerID"), ONCE.formatted("providerID"));
        }
        if (!spec.path("externalID").asString("").equals(old.path("externalID").asString(""))) {
            errors.forbidden(SPEC.child("externalID"), "may not be updated");
        }
    }

    private static void addresses(JsonNode addresses, FieldErrors errors) {
        Set<String> seen = new HashSet<>();
        int index = 0;
        for (JsonNode address : addresses) {
            if (!seen.add(address.path("type").asString("") + "/"
                    + address.path("address").asString(""))) {
                errors.duplicate(
                        FieldPath.of("status", "addresses").index(index), GoText.struct(address, "Type", "Address"));
            }
            index++;
        }
    }
}
