package io.fairlead.fleet.conditions;

import static io.fairlead.fleet.root.FairleadKind.column;
import static io.fairlead.fleet.root.FairleadKind.condition;

import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.hosted.BuiltInKind;
import io.fairlead.model.GroupVersionResource;
import java.util.List;

/** The {@code ConditionRecord} kind as the root cluster serves it. */
public final class ConditionRecordKind {
    static final FairleadKind KIND = new FairleadKind(
            "conditionrecords",
            "ConditionRecord",
            "cr",
            "conditionrecord.openapi.json",
            List.of(
                    column("Resource", "string", "The resource whose objects are observed.", 0, ".spec.resource"),
                    column("Clusters", "integer", "How many clusters are observed.", 0, ".status.clusters"),
                    column(
                            "Observing",
                            "string",
                            "Whether all of them are observed.",
                            0,
                            condition("Observing", "status")),
                    column("Age", "date", "Since when it is there.", 0, ".metadata.creationTimestamp"),
                    column("Reason", "string", "What is not observed.", 1, condition("Observing", "message"))));

    public static final GroupVersionResource CONDITION_RECORDS = KIND.resource();

    private ConditionRecordKind() {}

    /** The kind with its rules. */
    public static BuiltInKind of() {
        return BuiltInKind.structural(KIND.type(), new ConditionRecordRules());
    }
}
