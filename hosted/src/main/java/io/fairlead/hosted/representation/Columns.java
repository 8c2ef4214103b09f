package io.fairlead.hosted.representation;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.objects.Scale;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The columns of each resource's Tables: those that its definition declares, or those that kube-apiserver prints for a
 * built-in kind ({@code printers/internalversion}).
 */
final class Columns {
    private static final List<Column> NAMESPACE = List.of(
            Column.NAME,
            printed(
                    "Status",
                    0,
                    "Whether the namespace is in use or being deleted.",
                    object -> text(object, "/status/phase")),
            Column.AGE);
    private static final List<Column> CONFIG_MAP =
            List.of(Column.NAME, counted("Data", "How many keys it holds.", "data", "binaryData"), Column.AGE);
    private static final List<Column> SECRET = List.of(
            Column.NAME,
            printed("Type", 0, "What the data is for.", object -> text(object, "/type")),
            counted("Data", "How many keys it holds.", "data"),
            Column.AGE);
    private static final List<Column> SERVICE_ACCOUNT = List.of(Column.NAME, Column.AGE);
    private static final List<Column> LEASE = List.of(
            Column.NAME,
            printed("Holder", 0, "Who holds it.", object -> text(object, "/spec/holderIdentity")),
            Column.AGE);
    private static final List<Column> BINDING = List.of(
            Column.NAME,
            printed("Role", 0, "The role that is granted.", Columns::role),
            Column.AGE,
            printed("Users", 1, "The users to whom it is granted.", object -> subjects(object, "User")),
            printed("Groups", 1, "The groups to whom it is granted.", object -> subjects(object, "Group")),
            printed(
                    "ServiceAccounts",
                    1,
                    "The service accounts to whom it is granted.",
                    object -> subjects(object, "ServiceAccount")));
    private static final List<Column> SCALE = List.of(
            Column.NAME,
            replicas("Desired", "How many replicas are wanted.", "/spec/replicas"),
            replicas("Available", "How many replicas there are.", "/status/replicas"),
            Column.AGE);
    private static final List<Column> OTHER = List.of(Column.NAME, Column.CREATED_AT);

    /** By definition, as long as that is in use: each watch of a Table keeps its columns. */
    private static final Cache<ResourceType, List<Column>> DECLARED =
            Caffeine.newBuilder().weakKeys().build();

    private Columns() {}

    /** Of a resource, or of its subresource if the name of that is not empty. */
    static List<Column> of(ResourceType type, String subresource) {
        if (subresource.equals(Scale.SUBRESOURCE)) {
            return SCALE;
        }
        List<ResourceType.PrinterColumn> declared = type.printerColumns();
        if (declared != null && !declared.isEmpty()) {
            return DECLARED.get(type, _ -> withName(CustomColumn.of(declared)));
        }
        return type.custom() ? List.of(Column.NAME, Column.CUSTOM_AGE) : builtIn(type);
    }

    private static List<Column> withName(List<Column> declared) {
        List<Column> columns = new ArrayList<>(List.of(Column.NAME));
        columns.addAll(declared);
        return List.copyOf(columns);
    }

    private static List<Column> builtIn(ResourceType type) {
        return switch (type.groupResource().toString()) {
            case "namespaces" -> NAMESPACE;
            case "configmaps" -> CONFIG_MAP;
            case "secrets" -> SECRET;
            case "serviceaccounts" -> SERVICE_ACCOUNT;
            case "events", "events.events.k8s.io" -> EventColumns.ALL;
            case "leases.coordination.k8s.io" -> LEASE;
            case "rolebindings.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io" -> BINDING;
            default ->
                Objects.requireNonNullElse(DataColumns.of(type.groupResource().toString()), OTHER);
        };
    }

    private static Column printed(String name, int priority, String description, Function<ObjectNode, String> cell) {
        return new Column(name, "string", "", description, priority, (object, now) -> Column.text(cell.apply(object)));
    }

    /** kube-apiserver declares these columns as strings and fills them with numbers. */
    private static Column counted(String name, String description, String... fields) {
        return new Column(
                name,
                "string",
                "",
                description,
                0,
                (object, now) -> Json.nodes().numberNode(count(object, fields)));
    }

    private static Column replicas(String name, String description, String pointer) {
        return new Column(
                name,
                "integer",
                "",
                description,
                0,
                (object, now) -> Json.nodes().numberNode(object.at(pointer).asLong(0)));
    }

    private static long count(ObjectNode object, String... fields) {
        long count = 0;
        for (String field : fields) {
            count += object.path(field).size();
        }
        return count;
    }

    private static String role(ObjectNode binding) {
        return text(binding, "/roleRef/kind") + "/" + text(binding, "/roleRef/name");
    }

    private static String subjects(ObjectNode binding, String kind) {
        return binding.path("subjects")
                .valueStream()
                .filter(subject -> subject.path("kind").asString("").equals(kind))
                .map(Columns::subject)
                .collect(Collectors.joining(", "));
    }

    private static String subject(JsonNode subject) {
        String name = subject.path("name").asString("");
        return subject.path("kind").asString("").equals("ServiceAccount")
                ? subject.path("namespace").asString("") + "/" + name
                : name;
    }

    private static String text(ObjectNode object, String pointer) {
        return object.at(pointer).asString("");
    }
}
