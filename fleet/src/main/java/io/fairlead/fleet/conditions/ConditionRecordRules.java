package io.fairlead.fleet.conditions;

import io.fairlead.fleet.pins.ClusterSelector;
import io.fairlead.hosted.KindRules;
import io.fairlead.model.Status.Cause;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The rules of a {@code ConditionRecord} beyond its schema. */
final class ConditionRecordRules implements KindRules {
    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        JsonNode spec = object.path("spec");
        List<Cause> causes = new ArrayList<>();
        ClusterSelector.check(spec.path("clusters"), "spec.clusters", causes);
        ClusterSelector.checkLabels(spec.at("/selector/matchLabels"), "spec.selector.matchLabels", causes);
        return causes;
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        return validateCreate(object);
    }
}
