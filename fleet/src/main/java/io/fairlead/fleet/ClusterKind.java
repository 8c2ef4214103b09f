package io.fairlead.fleet;

import static io.fairlead.fleet.root.FairleadKind.column;
import static io.fairlead.fleet.root.FairleadKind.condition;

import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.BuiltInKind;
import io.fairlead.model.GroupVersionResource;
import java.util.List;

/** The {@code Cluster} kind as the root cluster serves it. */
public final class ClusterKind {
    static final FairleadKind KIND = new FairleadKind(
            "clusters",
            "Cluster",
            "cl",
            "cluster.openapi.json",
            List.of(
                    column("Type", "string", "Attached or Hosted.", 0, ".status.type"),
                    column("Ready", "string", "Whether it can be used.", 0, condition("Ready", "status")),
                    column("Version", "string", "Its Kubernetes version.", 0, ".status.version"),
                    column("APIs", "integer", "How many group/versions it serves.", 0, ".status.groupVersions"),
                    column("Age", "date", "Since when it is registered.", 0, ".metadata.creationTimestamp"),
                    column("URL", "string", "Where it is reached through Fairlead.", 1, ".status.url"),
                    column("Epoch", "integer", "The count of its histories.", 1, ".status.epoch"),
                    column(
                            "Conflict",
                            "string",
                            "Whether it conflicts with another.",
                            1,
                            condition("Conflict", "status")),
                    column(
                            "Available",
                            "string",
                            "Whether what it requires was there.",
                            1,
                            condition("Available", "status")),
                    column("Reason", "string", "Why it is Ready or is not.", 1, condition("Ready", "reason"))));

    public static final GroupVersionResource CLUSTERS = KIND.resource();

    private ClusterKind() {}

    /** The kind with its rules; admission checks the caller's rights. */
    public static BuiltInKind of(AdmissionHook admission) {
        return BuiltInKind.structural(KIND.type(), new ClusterRules(), admission);
    }
}
