package io.fairlead.fleet.exclusive;

import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.KeyClaim;
import java.util.ArrayList;
import java.util.List;

/*
 * Events and conditions are read by those who may read the object. Another object may be in a namespace or in a cluster that
 * they may not see, so that only those of the same namespace are named.
 */
/** A conflict in words, for readers of one of the objects. */
final class ConflictText {
    private static final int NAMED_MAX = 8;

    private ConflictText() {}

    /** What an object is called in conflicts: {@code cluster/namespace/name}. */
    static String name(ObjectKey object) {
        return object.cluster() + "/" + object.path();
    }

    static String key(RuleSpec spec, KeyConflict conflict) {
        return ExclusiveKeys.KIND + "/" + spec.name() + "/" + conflict.key();
    }

    /** Who claims the key too, who stays, since when, and what to do. */
    static String of(RuleSpec spec, ObjectKey object, KeyConflict conflict) {
        String own = name(object);
        List<String> near = new ArrayList<>();
        int far = 0;
        boolean stays = false;
        String incumbent = "";
        for (KeyClaim claim : conflict.contest().claims()) {
            String name = claim.holder().name();
            boolean isIncumbent = conflict.contest().isIncumbent(claim.holder().uid());
            if (name.equals(own)) {
                stays = isIncumbent;
                continue;
            }
            boolean isNear = isNear(own, name);
            if (isNear && near.size() < NAMED_MAX) {
                near.add("\"" + name.substring(name.lastIndexOf('/') + 1) + "\"");
            } else {
                far++;
            }
            if (isIncumbent) {
                incumbent = isNear ? near.getLast() + " stays" : "another one stays";
            }
        }
        if (far > 0) {
            near.add(far + (near.isEmpty() ? "" : " more") + (far == 1 ? " object" : " objects") + " elsewhere");
        }
        String outcome = stays ? "this one stays" : incumbent.isEmpty() ? "none of them stays" : incumbent;
        return key(spec, conflict) + " is claimed by " + String.join(", ", near) + " too since " + conflict.since()
                + "; " + outcome + "; change what makes the key in all but one of them, or delete them";
    }

    private static boolean isNear(String one, String other) {
        return one.substring(0, one.lastIndexOf('/')).equals(other.substring(0, other.lastIndexOf('/')));
    }
}
