package io.fairlead.fleet.exclusive;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Which rules are in force where there are more than may be. Confined to the controller. */
final class RulePlaces {
    /** Each may take its bytes of the heap. */
    static final int RULES_MAX = 16;

    /** The states of rules whose authors may read nothing, as far as that is known. */
    private final Set<String> forbidden = new HashSet<>();

    static String uid(ObjectNode object) {
        return object.at("/metadata/uid").asString("");
    }

    /** Which rule it is, as it was written last. */
    private static String state(ObjectNode object) {
        return uid(object) + " " + object.at("/metadata/generation").asLong(0);
    }

    /**
     * Those that are in force come first, then the oldest: a new rule takes no other one's place, but for those whose authors
     * may read nothing.
     */
    List<ObjectNode> inOrder(List<ObjectNode> objects, Set<String> inForce) {
        forbidden.retainAll(objects.stream().map(RulePlaces::state).toList());
        return objects.stream()
                .sorted(Comparator.comparing((ObjectNode object) -> forbidden.contains(state(object)))
                        .thenComparing(object -> !inForce.contains(uid(object)))
                        .thenComparing(object ->
                                object.at("/metadata/creationTimestamp").asString(""))
                        .thenComparing(object -> object.at("/metadata/name").asString("")))
                .toList();
    }

    /** Whether a rule is known by now to read nothing, and another one waits for its place. */
    boolean areYielded(List<ObjectNode> objects, Map<String, Exclusion> inForce) {
        boolean areYielded = false;
        if (objects.size() > RULES_MAX) {
            for (ObjectNode object : objects) {
                Exclusion rule = inForce.get(uid(object));
                areYielded |= rule != null && rule.isForbidden() && forbidden.add(state(object));
            }
        }
        return areYielded;
    }
}
