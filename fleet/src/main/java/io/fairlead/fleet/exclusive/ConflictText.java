package io.fairlead.fleet.exclusive;

import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.KeyClaim;
import io.fairlead.model.GroupVersionResource;
import java.util.ArrayList;
import java.util.List;

/*
 * Events and conditions are read by those who may read the object. Another object may be in a namespace or in a cluster that
 * they may not see, so that only those of the same namespace are named, and of many the first.
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
    static String of(RuleSpec spec, ObjectConflict conflict) {
        String own = conflict.claim().holder().name();
        KeyConflict about = conflict.conflict();
        List<String> named = new ArrayList<>();
        String outcome = conflict.stays() ? "this one stays" : "none of them stays";
        for (KeyClaim claim : about.contest().claims()) {
            String name = claim.holder().name();
            boolean isNear = !name.equals(own) && isNear(own, name);
            String quoted = "\"" + name.substring(name.lastIndexOf('/') + 1) + "\"";
            if (isNear && named.size() < NAMED_MAX) {
                named.add(quoted);
            }
            if (!name.equals(own) && about.contest().isIncumbent(claim.holder().uid())) {
                outcome = (isNear ? quoted : "one elsewhere") + " stays";
            }
        }
        int others = about.total() - 1 - named.size();
        if (others > 0) {
            named.add(named.isEmpty() ? count(others, "other object") : others + " more");
        }
        return key(spec, about) + " is claimed by " + String.join(", ", named) + " too since " + about.since() + "; "
                + outcome + "; change what makes the key in all but one of them, or delete them";
    }

    static String resource(GroupVersionResource resource) {
        return resource.groupVersion().apiVersion() + " " + resource.resource();
    }

    static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static boolean isNear(String one, String other) {
        return one.substring(0, one.lastIndexOf('/')).equals(other.substring(0, other.lastIndexOf('/')));
    }
}
