package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.exclusive.KeyExpression.InvalidExpressionException;
import io.fairlead.fleet.pins.ClusterSelector;
import io.fairlead.fleet.root.Finalizers;
import io.fairlead.hosted.KindRules;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.model.Status.Cause;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The rules of an {@code ExclusiveKey} beyond its schema. */
final class ExclusiveKeyRules implements KindRules {
    /** Keeps a deleted rule until objects no longer say that they are in conflict by it. */
    static final String RETRACT = "fairlead.io/retract-conditions";

    @Override
    public void prepareForCreate(ObjectNode object) {
        Finalizers.set(object, RETRACT, publishes(object));
    }

    @Override
    public void prepareForUpdate(ObjectNode object, ObjectNode old) {
        if (!old.path("metadata").has("deletionTimestamp")) {
            Finalizers.set(object, RETRACT, publishes(object));
        }
    }

    private static boolean publishes(ObjectNode object) {
        return object.path("spec").path("publishCondition").asBoolean(false);
    }

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        JsonNode spec = object.path("spec");
        List<Cause> causes = new ArrayList<>();
        ClusterSelector.check(spec.path("clusters"), "spec.clusters", causes);
        resource(spec.path("resource"), "spec.resource", causes);
        enforcement(spec, causes);
        List<String> names = new ArrayList<>();
        int index = 0;
        for (JsonNode lookup : spec.path("lookups").values()) {
            lookup(lookup, "spec.lookups[" + index++ + "]", causes);
            names.add(lookup.path("name").asString(""));
        }
        expression(spec.path("key"), names, "spec.key", causes);
        index = 0;
        for (JsonNode output : spec.path("withdraw").values()) {
            resource(output.path("resource"), "spec.withdraw[" + index++ + "].resource", causes);
        }
        return causes;
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        return validateCreate(object);
    }

    /** One event is served in two groups, and a reservation would be about itself. */
    private static void enforcement(JsonNode spec, List<Cause> causes) {
        GroupVersionResource resource = RuleSpec.resource(spec.path("resource"));
        boolean isEvents = resource.resource().equals("events")
                && (resource.group().isEmpty() || resource.group().equals("events.k8s.io"));
        boolean isReservations = resource.groupResource().equals(KeyReservationKind.KEY_RESERVATIONS.groupResource());
        if (RuleSpec.denies(spec) && (isEvents || isReservations)) {
            causes.add(new Cause(
                    "FieldValueForbidden",
                    "Forbidden: " + resource.groupResource() + " are not denied (expected Report)",
                    "spec.enforcement"));
        }
    }

    private static void lookup(JsonNode lookup, String field, List<Cause> causes) {
        String name = lookup.path("name").asString("");
        if (!KeyExpression.isFree(name)) {
            causes.add(invalid(
                    field + ".name",
                    "\"" + name + "\": a name is expected that no other variable has, and that CEL has not reserved"));
        }
        resource(lookup.path("resource"), field + ".resource", causes);
        expression(lookup.path("objectName"), List.of(), field + ".objectName", causes);
        if (lookup.has("namespace")) {
            expression(lookup.path("namespace"), List.of(), field + ".namespace", causes);
        }
    }

    /** What a key is made of could be found out by who sees which objects meet. */
    private static void resource(JsonNode node, String field, List<Cause> causes) {
        GroupVersionResource resource = RuleSpec.resource(node);
        if (resource.group().isEmpty() && resource.resource().equals("secrets")) {
            causes.add(new Cause("FieldValueForbidden", "Forbidden: Secrets are not compared", field));
        }
    }

    private static void expression(JsonNode text, List<String> lookups, String field, List<Cause> causes) {
        try {
            KeyExpression.compile(
                    text.asString(""),
                    lookups.stream().filter(KeyExpression::isFree).toList());
        } catch (InvalidExpressionException invalid) {
            causes.add(invalid(field, String.valueOf(invalid.getMessage())));
        }
    }

    private static Cause invalid(String field, String message) {
        return new Cause("FieldValueInvalid", "Invalid value: " + message, field);
    }
}
