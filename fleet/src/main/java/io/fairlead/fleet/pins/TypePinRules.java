package io.fairlead.fleet.pins;

import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.hosted.KindRules;
import io.fairlead.model.Status.Cause;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The rules of a {@code TypePin} beyond its schema. */
final class TypePinRules implements KindRules {
    private static final List<String> REQUIREMENTS = List.of("allow", "compatibleWith", "consistentAcross");

    private final PinWarnings warnings;

    TypePinRules(PinWarnings warnings) {
        this.warnings = warnings;
    }

    @Override
    public List<String> warnings(ObjectNode object) {
        return warnings.of(object);
    }

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        JsonNode spec = object.path("spec");
        List<Cause> causes = new ArrayList<>();
        if (spec.path("group").asString("").equals(FairleadKind.GROUP)) {
            causes.add(invalid(
                    "spec.group",
                    "\"" + FairleadKind.GROUP + "\": any other group is expected, since no CRD defines its kinds, and"
                            + " a pin must not stand in the way of its own removal"));
        }
        ClusterSelector.check(spec.path("clusters"), "spec.clusters", causes);
        if (spec.has("consistentAcross")) {
            ClusterSelector.check(spec.path("consistentAcross"), "spec.consistentAcross", causes);
        }
        List<String> said = REQUIREMENTS.stream().filter(spec::has).toList();
        if (said.size() > 1) {
            causes.add(invalid("spec", "at most one of " + REQUIREMENTS + " is expected, " + said + " are set"));
        } else if (said.isEmpty() && spec.path("implementations").isEmpty()) {
            causes.add(new Cause(
                    "FieldValueRequired",
                    "Required value: one of " + REQUIREMENTS + ", or implementations, since it would pin nothing",
                    "spec"));
        }
        return causes;
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        return validateCreate(object);
    }

    private static Cause invalid(String field, String message) {
        return new Cause("FieldValueInvalid", "Invalid value: " + message, field);
    }
}
