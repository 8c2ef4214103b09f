package io.fairlead.fleet.exclusive;

import static io.fairlead.fleet.root.FairleadKind.column;
import static io.fairlead.fleet.root.FairleadKind.condition;

import io.fairlead.fleet.root.Condition;
import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.hosted.BuiltInKind;
import io.fairlead.model.GroupVersionResource;
import java.util.List;

/** The {@code ExclusiveKey} kind as the root cluster serves it. */
public final class ExclusiveKeyKind {
    static final FairleadKind KIND = new FairleadKind(
            "exclusivekeys",
            "ExclusiveKey",
            "xk",
            "exclusivekey.openapi.json",
            List.of(
                    column("Resource", "string", "The resource of the objects.", 0, ".spec.resource.resource"),
                    column("Scope", "string", "Where two holders may not meet.", 0, ".spec.scope"),
                    column("Objects", "integer", "How many objects are compared.", 0, ".status.objects"),
                    column("Conflicts", "integer", "How many keys several objects claim.", 0, ".status.conflictsTotal"),
                    column("Conflict", "string", "Whether there are any.", 0, condition(Condition.CONFLICT, "status")),
                    column("Enforcement", "string", "Whether objects are denied.", 0, ".spec.enforcement"),
                    column("Age", "date", "Since when it is there.", 0, ".metadata.creationTimestamp"),
                    column(
                            "Observing",
                            "string",
                            "Whether all objects are compared.",
                            1,
                            condition("Observing", "reason")),
                    column("Enforced", "string", "Whether it denies by now.", 1, condition("Enforced", "reason")),
                    column("Reason", "string", "What is in conflict.", 1, condition(Condition.CONFLICT, "message"))));

    /** The resource. */
    public static final GroupVersionResource EXCLUSIVE_KEYS = KIND.resource();

    private ExclusiveKeyKind() {}

    /** The kind with its rules, and the record of who wrote each rule. */
    public static BuiltInKind of() {
        return BuiltInKind.structural(KIND.type(), new ExclusiveKeyRules(), Author::record);
    }
}
