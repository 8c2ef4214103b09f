package io.fairlead.fleet.publication;

import static io.fairlead.fleet.root.FairleadKind.column;
import static io.fairlead.fleet.root.FairleadKind.condition;

import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.hosted.BuiltInKind;
import io.fairlead.model.GroupVersionResource;
import java.util.List;

/** The {@code APIPublication} kind as the root cluster serves it. */
public final class PublicationKind {
    private static final FairleadKind KIND = new FairleadKind(
            "apipublications",
            "APIPublication",
            "pub",
            "apipublication.openapi.json",
            List.of(
                    column("Group", "string", "The API group.", 0, ".spec.group"),
                    column("Source", "string", "The hosted cluster that serves it.", 0, ".spec.source.cluster"),
                    column("Targets", "integer", "In how many clusters it is published.", 0, ".status.targets"),
                    column("Backend", "string", "Whether it answers.", 0, condition("BackendReady", "status")),
                    column("Available", "string", "Whether it is served.", 0, condition("Available", "status")),
                    column("Age", "date", "Since when it is there.", 0, ".metadata.creationTimestamp"),
                    column("Reason", "string", "What is missing.", 1, condition("Available", "message"))));

    static final GroupVersionResource PUBLICATIONS = KIND.resource();

    private PublicationKind() {}

    /** The kind with its rules. */
    public static BuiltInKind of() {
        return BuiltInKind.structural(KIND.type(), new PublicationRules());
    }

    /** The kind {@code APIPublicationPlan}, which has the spec of a publication and is never stored. */
    public static BuiltInKind plans(PublicationPlans plans) {
        return BuiltInKind.structural(
                KIND.reviewedAs("apipublicationplans", "APIPublicationPlan", "apipublicationplan.openapi.json"), plans);
    }
}
