package io.fairlead.gateway.fleet;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.ResourceType.PrinterColumn;
import io.fairlead.schema.json.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** The {@code Cluster} kind as the root cluster serves it. */
public final class ClusterKind {
    static final String GROUP = "fairlead.io";
    static final String VERSION = "v1alpha1";
    static final String PLURAL = "clusters";

    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private ClusterKind() {}

    /** The kind with its rules; admission asks the caller's rights. */
    public static BuiltInKind of(AdmissionHook admission) {
        return BuiltInKind.structural(type(), new ClusterRules(), admission);
    }

    private static ResourceType type() {
        return new ResourceType(
                GROUP,
                VERSION,
                PLURAL,
                "cluster",
                "Cluster",
                "ClusterList",
                List.of("cl"),
                List.of("fairlead"),
                false,
                VERBS,
                Set.of("status"),
                VERSION,
                false,
                schema(),
                columns());
    }

    private static List<PrinterColumn> columns() {
        return List.of(
                column("Type", "string", "Attached or Hosted.", 0, ".status.type"),
                column("Ready", "string", "Whether it can be used.", 0, condition("Ready", "status")),
                column("Version", "string", "Its Kubernetes version.", 0, ".status.version"),
                column("APIs", "integer", "How many group/versions it serves.", 0, ".status.groupVersions"),
                column("Age", "date", "Since when it is registered.", 0, ".metadata.creationTimestamp"),
                column("URL", "string", "Where it is served.", 1, ".status.url"),
                column("Epoch", "integer", "The count of its histories.", 1, ".status.epoch"),
                column("Conflict", "string", "Whether it conflicts with another.", 1, condition("Conflict", "status")),
                column("Reason", "string", "Why it can be used or cannot.", 1, condition("Ready", "reason")));
    }

    private static String condition(String type, String field) {
        return ".status.conditions[?(@.type==\"" + type + "\")]." + field;
    }

    private static PrinterColumn column(String name, String type, String description, int priority, String path) {
        return new PrinterColumn(name, type, "", description, priority, path);
    }

    private static ObjectNode schema() {
        try (InputStream schema =
                Objects.requireNonNull(ClusterKind.class.getResourceAsStream("cluster.openapi.yaml"))) {
            return (ObjectNode) Yaml.read(schema.readAllBytes());
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
