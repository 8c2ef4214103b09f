package io.fairlead.fleet.pins;

import static io.fairlead.fleet.root.FairleadKind.column;
import static io.fairlead.fleet.root.FairleadKind.condition;

import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.hosted.BuiltInKind;
import io.fairlead.model.GroupVersionResource;
import java.util.List;

/** The {@code TypePin} kind as the root cluster serves it. */
public final class TypePinKind {
    static final FairleadKind KIND = new FairleadKind(
            "typepins",
            "TypePin",
            "tp",
            "typepin.openapi.json",
            List.of(
                    column("Group", "string", "The API group that it is about.", 0, ".spec.group"),
                    column("Kind", "string", "The kind that it is about.", 0, ".spec.kind"),
                    column("Action", "string", "What becomes of a mismatch.", 0, ".spec.onMismatch"),
                    column(
                            "Satisfied",
                            "string",
                            "Whether every type is as pinned.",
                            0,
                            condition("Satisfied", "status")),
                    column("Stale", "string", "Whether some evidence is too old.", 0, condition("Stale", "status")),
                    column("Age", "date", "Since when it is there.", 0, ".metadata.creationTimestamp"),
                    column("Types", "integer", "How many definitions it is about.", 1, ".status.types"),
                    column("Reason", "string", "What is not as pinned.", 1, condition("Satisfied", "message"))));

    static final GroupVersionResource TYPE_PINS = KIND.resource();

    private TypePinKind() {}

    /** The kind with its rules. */
    public static BuiltInKind of(PinWarnings warnings) {
        return BuiltInKind.structural(KIND.type(), new TypePinRules(warnings));
    }
}
