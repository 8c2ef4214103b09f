package io.fairlead.fleet.root;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.ResourceType.PrinterColumn;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.schema.json.JsonResources;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * A kind of Fairlead's own group as the root cluster serves it: cluster-scoped, with a status and a table.
 *
 * @param plural the resource
 * @param kind the kind, whose name in lower case is the singular one
 * @param shortName the short name
 * @param schema the file beside this class that holds the OpenAPI v3 schema; the build writes it from that of {@code src/main/yaml}
 * @param columns of the table, in addition to the name
 */
public record FairleadKind(String plural, String kind, String shortName, String schema, List<PrinterColumn> columns) {
    public static final String GROUP = "fairlead.io";
    static final String VERSION = "v1alpha1";
    public static final String API_VERSION = GROUP + "/" + VERSION;

    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    public FairleadKind {
        columns = List.copyOf(columns);
    }

    public ResourceType type() {
        return new ResourceType(
                GROUP,
                VERSION,
                plural,
                kind.toLowerCase(Locale.ROOT),
                kind,
                kind + "List",
                List.of(shortName),
                List.of("fairlead"),
                false,
                VERBS,
                Set.of("status"),
                VERSION,
                false,
                openApi(schema),
                columns);
    }

    /**
     * A kind with the spec of this one, whose objects are answered and never stored.
     *
     * @param status the file that holds the schema of all but the spec
     */
    public ResourceType reviewedAs(String plural, String kind, String status) {
        ObjectNode schema = openApi(status);
        schema.withObjectProperty("properties")
                .set("spec", openApi(this.schema).at("/properties/spec").deepCopy());
        return answered(plural, kind, schema);
    }

    /**
     * A kind whose objects are answered and never stored.
     *
     * @param schema the file that holds its schema, as that of the others
     */
    public static ResourceType answered(String plural, String kind, String schema) {
        return answered(plural, kind, openApi(schema));
    }

    private static ResourceType answered(String plural, String kind, ObjectNode schema) {
        return new ResourceType(
                GROUP,
                VERSION,
                plural,
                kind.toLowerCase(Locale.ROOT),
                kind,
                kind + "List",
                List.of(),
                List.of(),
                false,
                List.of("create"),
                Set.of(),
                VERSION,
                false,
                schema,
                List.of());
    }

    public GroupVersionResource resource() {
        return new GroupVersionResource(GROUP, VERSION, plural);
    }

    /** The JSON path of a field of a condition. */
    public static String condition(String type, String field) {
        return ".status.conditions[?(@.type==\"" + type + "\")]." + field;
    }

    public static PrinterColumn column(String name, String type, String description, int priority, String path) {
        return new PrinterColumn(name, type, "", description, priority, path);
    }

    private static ObjectNode openApi(String schema) {
        return (ObjectNode) JsonResources.read(FairleadKind.class, schema);
    }
}
