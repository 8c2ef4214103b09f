package io.fairlead.fleet.exclusive;

import static io.fairlead.fleet.root.FairleadKind.column;

import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.KindRules;
import io.fairlead.model.GroupVersionResource;
import java.util.List;

/**
 * The {@code KeyReservation} kind as the root cluster serves it: that an object of a hosted cluster has a key of a rule which
 * denies it to others. Fairlead writes them.
 */
public final class KeyReservationKind {
    static final FairleadKind KIND = new FairleadKind(
            "keyreservations",
            "KeyReservation",
            "kres",
            "keyreservation.openapi.json",
            List.of(
                    column("Rule", "string", "The ExclusiveKey.", 0, ".spec.rule.name"),
                    column("Cluster", "string", "The cluster of the object.", 0, ".spec.holder.cluster"),
                    column("Namespace", "string", "The namespace of the object.", 0, ".spec.holder.namespace"),
                    column("Holder", "string", "The object that has the key.", 0, ".spec.holder.name"),
                    column("Age", "date", "Since when it is there.", 0, ".metadata.creationTimestamp")));

    /** The resource. */
    public static final GroupVersionResource KEY_RESERVATIONS = KIND.resource();

    private KeyReservationKind() {}

    /** The kind. */
    public static BuiltInKind of() {
        return BuiltInKind.structural(KIND.type(), KindRules.NONE);
    }
}
