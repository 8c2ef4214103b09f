package io.fairlead.hosted;

import io.fairlead.model.GroupResource;
import io.fairlead.model.GroupVersion;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A resource as one version serves it, built-in or custom: what discovery, tables, OpenAPI and the verbs need to know.
 *
 * @param group the group, empty for the core group
 * @param version the version
 * @param plural the resource's name
 * @param singular its singular name
 * @param kind its kind
 * @param listKind the kind of its lists
 * @param shortNames its short names
 * @param categories its categories
 * @param namespaced whether objects live in namespaces
 * @param verbs the verbs it serves, in the order in which discovery lists them
 * @param subresources the subresources it serves ({@code status})
 * @param storageVersion the version whose kind names the storage version hash
 * @param custom whether a CRD serves it
 * @param openApiSchema its OpenAPI v3 schema as published, or null if it has none
 * @param printerColumns the columns beside the name, or null for the kind's own printer
 */
public record ResourceType(
        String group,
        String version,
        String plural,
        String singular,
        String kind,
        String listKind,
        List<String> shortNames,
        List<String> categories,
        boolean namespaced,
        List<String> verbs,
        Set<String> subresources,
        String storageVersion,
        boolean custom,
        @Nullable ObjectNode openApiSchema,
        @Nullable List<PrinterColumn> printerColumns) {
    /** One of version {@code v1} whose objects are sent, answered and not stored, as reviews and evictions are. */
    public static ResourceType onlyCreated(String group, String kind, boolean namespaced) {
        String singular = kind.toLowerCase(Locale.ROOT);
        return new ResourceType(
                group,
                "v1",
                singular + "s",
                singular,
                kind,
                kind + "List",
                List.of(),
                List.of(),
                namespaced,
                List.of("create"),
                Set.of(),
                "v1",
                false,
                null,
                null);
    }

    public GroupVersion groupVersion() {
        return new GroupVersion(group, version);
    }

    public GroupResource groupResource() {
        return new GroupResource(group, plural);
    }

    /**
     * The resource under which objects are stored: its own, except for the events of {@code events.k8s.io}, which are
     * stored as those of the core group.
     */
    public GroupResource storedAs() {
        return group.equals("events.k8s.io") && plural.equals("events")
                ? new GroupResource("", plural)
                : groupResource();
    }

    /**
     * A column of a table, as in {@code additionalPrinterColumns}.
     *
     * @param name the header
     * @param type an OpenAPI type, or {@code date}
     * @param format an OpenAPI format, empty if none
     * @param description what it shows
     * @param priority 0 for the standard view, above for the wide one
     * @param jsonPath where its value stands
     */
    public record PrinterColumn(
            String name, String type, String format, String description, int priority, String jsonPath) {}
}
