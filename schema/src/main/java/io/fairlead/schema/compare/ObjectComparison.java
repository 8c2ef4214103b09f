package io.fairlead.schema.compare;

import io.fairlead.schema.compare.SchemaNode.Others;
import io.fairlead.schema.json.Json;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The part of a comparison that is about objects: their members, which of them must be there, and what others may be. */
final class ObjectComparison {
    private final Differences found;
    private final ScalarComparison scalars;
    private final Descent descent;

    /** How the schemas of a member are compared. */
    interface Descent {
        void compare(SchemaNode before, SchemaNode after, Place place);
    }

    ObjectComparison(Differences found, ScalarComparison scalars, Descent descent) {
        this.found = found;
        this.scalars = scalars;
        this.descent = descent;
    }

    void compare(SchemaNode before, SchemaNode after, Place place) {
        embedded(before, after, place);
        Others old = before.others(place.keptBefore());
        Others now = after.others(place.keptAfter());
        others(before, after, old, now, place);
        if ((old == Others.MATCHED) == (now == Others.MATCHED)) {
            members(before, after, old, now, place);
        }
        required(before, after, place);
        scalars.counts(before, after, place, "minProperties", "maxProperties");
    }

    private void others(SchemaNode before, SchemaNode after, Others old, Others now, Place place) {
        if (old == Others.MATCHED && now == Others.MATCHED) {
            descent.compare(child(before), child(after), place.otherMember());
            preserved(before, after, place);
        } else if (old != now || !Values.same(before.get("additionalProperties"), after.get("additionalProperties"))) {
            boolean isMap = before.has("additionalProperties") || after.has("additionalProperties");
            String rule = isMap ? "additionalProperties" : SchemaNode.PRESERVE;
            found.add(
                    place.told(),
                    rule,
                    before.get(rule),
                    after.get(rule),
                    othersVerdict(before, after, old, now, place));
        } else {
            preserved(before, after, place);
        }
    }

    /** Beside {@code additionalProperties} or in a list that keeps everything it says nothing more, or too little is known. */
    private void preserved(SchemaNode before, SchemaNode after, Place place) {
        if (before.is(SchemaNode.PRESERVE) != after.is(SchemaNode.PRESERVE)) {
            found.add(
                    place.told(),
                    SchemaNode.PRESERVE,
                    before.get(SchemaNode.PRESERVE),
                    after.get(SchemaNode.PRESERVE),
                    Verdict.UNKNOWN);
        }
    }

    private static SchemaNode child(SchemaNode schema) {
        return SchemaNode.of(schema.tree().get("additionalProperties"));
    }

    private static Verdict othersVerdict(SchemaNode before, SchemaNode after, Others old, Others now, Place place) {
        if (!mayBeObject(before)) {
            // Elements are compared with what their list keeps in mind; scalars have no members.
            return Verdict.WIDER;
        }
        if (old == Others.ODD || now == Others.ODD || before.has("enum")) {
            return Verdict.UNKNOWN;
        }
        return switch (old) {
            case PRUNED -> now == Others.KEPT ? toKept(place) : toMatched(before, place);
            case KEPT -> now == Others.PRUNED ? Verdict.NARROWER : keptToMatched(before, after);
            case MATCHED -> now == Others.KEPT ? matchedToKept(before, after, place) : matchedToPruned(after);
            case ODD -> Verdict.UNKNOWN;
        };
    }

    private static boolean mayBeObject(SchemaNode schema) {
        String type = schema.text("type");
        return type.equals("object") || (type.isEmpty() && !schema.is("x-kubernetes-int-or-string"));
    }

    private static Verdict toKept(Place place) {
        return place.isRuled() ? Verdict.UNKNOWN : Verdict.WIDER;
    }

    /** An object of which nothing was known had no members at all. */
    private static Verdict toMatched(SchemaNode before, Place place) {
        return before.properties().isEmpty() && !place.isRuled() ? Verdict.WIDER : Verdict.UNKNOWN;
    }

    private static Verdict keptToMatched(SchemaNode before, SchemaNode after) {
        if (child(after).takesEverything()) {
            return Verdict.UNKNOWN;
        }
        return child(after).hasDefaults() || !before.properties().isEmpty() ? Verdict.INCOMPATIBLE : Verdict.NARROWER;
    }

    private static Verdict matchedToKept(SchemaNode before, SchemaNode after, Place place) {
        if (child(before).hasDefaults()) {
            return Verdict.INCOMPATIBLE;
        }
        return after.properties().isEmpty() && !place.isRuled() ? Verdict.WIDER : Verdict.UNKNOWN;
    }

    private static Verdict matchedToPruned(SchemaNode after) {
        return after.properties().isEmpty() ? Verdict.NARROWER : Verdict.INCOMPATIBLE;
    }

    private void members(SchemaNode before, SchemaNode after, Others old, Others now, Place place) {
        Map<String, JsonNode> olds = before.properties();
        Map<String, JsonNode> news = after.properties();
        Set<String> names = new TreeSet<>(olds.keySet());
        names.addAll(news.keySet());
        for (String name : names) {
            Place member = place.member(name, before.isAlwaysGiven(name), after.isAlwaysGiven(name));
            SchemaNode oldMember = before.property(name);
            SchemaNode newMember = after.property(name);
            if (before.isMeta(name, place) || after.isMeta(name, place)) {
                meta(name, oldMember, newMember, member);
            } else if (oldMember == null && newMember != null) {
                tell(member, null, newMember, added(before, newMember, name, old));
            } else if (oldMember != null && newMember == null) {
                tell(member, oldMember, null, removed(before, oldMember, name, now, member));
            } else if (oldMember != null && newMember != null) {
                descent.compare(oldMember, newMember, member);
            }
        }
    }

    /** What every resource has: saying so changes nothing, saying more about it is too rare to be looked into. */
    private void meta(String name, @Nullable SchemaNode before, @Nullable SchemaNode after, Place place) {
        JsonNode old = before == null ? null : before.tree();
        JsonNode now = after == null ? null : after.tree();
        if (!Values.same(old, now)) {
            boolean isPlain = saysNothing(name, before) && saysNothing(name, after);
            found.add(place.told(), "properties", old, now, isPlain ? Verdict.WIDER : Verdict.UNKNOWN);
        }
    }

    private static boolean saysNothing(String name, @Nullable SchemaNode schema) {
        String type = name.equals("metadata") ? "object" : "string";
        return schema == null
                || (schema.tree().size() == 1 && schema.text("type").equals(type));
    }

    private void tell(Place place, @Nullable SchemaNode before, @Nullable SchemaNode after, Verdict verdict) {
        found.add(
                place.told(),
                "properties",
                before == null ? null : before.tree(),
                after == null ? null : after.tree(),
                verdict);
    }

    /** A new member was not there before, unless what is not declared was kept: then it could have been anything. */
    private static Verdict added(SchemaNode before, SchemaNode member, String name, Others old) {
        if (old == Others.PRUNED) {
            if (before.required().contains(name)) {
                return Verdict.UNKNOWN;
            }
            return member.has("default") ? Verdict.INCOMPATIBLE : Verdict.WIDER;
        }
        if (old != Others.KEPT) {
            return Verdict.UNKNOWN;
        }
        if (member.hasDefaults()) {
            return Verdict.INCOMPATIBLE;
        }
        return member.takesEverything() && member.is("nullable") ? Verdict.WIDER : Verdict.NARROWER;
    }

    private static Verdict removed(SchemaNode before, SchemaNode member, String name, Others now, Place place) {
        if (now == Others.KEPT) {
            if (member.hasDefaults()) {
                return place.givenBefore() && !member.has("default") ? Verdict.UNKNOWN : Verdict.INCOMPATIBLE;
            }
            return place.isRuled() ? Verdict.UNKNOWN : Verdict.WIDER;
        }
        if (now != Others.PRUNED) {
            return Verdict.UNKNOWN;
        }
        boolean wasOptional = !before.required().contains(name) && !member.has("default");
        return wasOptional ? Verdict.NARROWER : Verdict.INCOMPATIBLE;
    }

    private void required(SchemaNode before, SchemaNode after, Place place) {
        Set<String> old = before.required();
        Set<String> now = after.required();
        for (String name : new TreeSet<>(old)) {
            if (!now.contains(name)) {
                tellRequired(place, name, true, Verdict.WIDER);
            }
        }
        for (String name : new TreeSet<>(now)) {
            if (!old.contains(name)) {
                tellRequired(place, name, false, newlyRequired(before, after, name, place));
            }
        }
    }

    private void tellRequired(Place place, String name, boolean isOld, Verdict verdict) {
        JsonNode told = Json.nodes().stringNode(name);
        found.add(place.told(), "required", isOld ? told : null, isOld ? null : told, verdict);
    }

    private static Verdict newlyRequired(SchemaNode before, SchemaNode after, String name, Place place) {
        SchemaNode member = after.property(name);
        if (isAlwaysThere(before, name, place) || (member != null && member.has("default"))) {
            return Verdict.WIDER;
        }
        boolean mayBeMissing =
                mayBeObject(before) && !before.hasJunctors() && !before.has("minProperties") && !before.has("enum");
        return mayBeMissing ? Verdict.NARROWER : Verdict.UNKNOWN;
    }

    private static boolean isAlwaysThere(SchemaNode before, String name, Place place) {
        return before.isMeta(name, place) && (place.isRoot() || !name.equals("metadata"));
    }

    /** A resource must say what it is, and its metadata has rules of its own. */
    private void embedded(SchemaNode before, SchemaNode after, Place place) {
        if (before.is(SchemaNode.EMBEDDED) == after.is(SchemaNode.EMBEDDED)) {
            return;
        }
        Verdict verdict = Verdict.UNKNOWN;
        if (after.is(SchemaNode.EMBEDDED)) {
            boolean wasFree = !before.required().containsAll(Set.of("apiVersion", "kind")) && !before.hasJunctors();
            verdict = wasFree && !before.has("enum") ? Verdict.INCOMPATIBLE : Verdict.UNKNOWN;
        } else if (after.others(place.keptAfter()) == Others.KEPT
                && after.properties().isEmpty()
                && !place.isRuled()) {
            verdict = Verdict.WIDER;
        } else if (after.others(place.keptAfter()) == Others.PRUNED && after.property("kind") == null) {
            verdict = Verdict.INCOMPATIBLE;
        }
        found.add(
                place.told(),
                SchemaNode.EMBEDDED,
                before.get(SchemaNode.EMBEDDED),
                after.get(SchemaNode.EMBEDDED),
                verdict);
    }
}
