package io.fairlead.hosted.kinds;

import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.crd.DefinitionKind;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The kinds that every hosted cluster serves without a CRD. */
public final class BuiltInKinds {
    /** The namespace of the root cluster in which Fairlead keeps credentials. */
    public static final String ROOT_NAMESPACE = "fairlead-system";

    private static final String RESOURCE = "built-in-kinds.json";
    private static final List<String> ALL_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private BuiltInKinds() {}

    /** All built-in kinds, read once and shared. */
    public static List<BuiltInKind> all() {
        return Holder.ALL;
    }

    /** The same for the root cluster, whose {@link #ROOT_NAMESPACE} cannot be deleted. */
    public static List<BuiltInKind> ofRoot() {
        return Holder.ALL.stream()
                .map(kind -> kind.type().kind().equals("Namespace")
                        ? new BuiltInKind(
                                kind.type(), kind.decoding(), new NamespaceRules(ROOT_NAMESPACE), kind.admission())
                        : kind)
                .toList();
    }

    private static BuiltInKind read(JsonNode description) {
        ResourceType type = type(description);
        return new BuiltInKind(type, BuiltInKind.Decoding.TYPED, rules(type), List.of());
    }

    private static ResourceType type(JsonNode description) {
        String kind = description.path("kind").stringValue();
        String version = description.path("version").stringValue();
        return new ResourceType(
                description.path("group").asString(""),
                version,
                description.path("plural").stringValue(),
                description.path("singular").stringValue(),
                kind,
                kind + "List",
                Meta.strings(description.path("shortNames")),
                Meta.strings(description.path("categories")),
                description.path("namespaced").booleanValue(),
                description.has("verbs") ? Meta.strings(description.path("verbs")) : ALL_VERBS,
                new LinkedHashSet<>(Meta.strings(description.path("subresources"))),
                version,
                false,
                (ObjectNode) description.path("schema"),
                null);
    }

    private static KindRules rules(ResourceType type) {
        String kind = type.kind();
        return switch (kind) {
            case "Namespace" -> new NamespaceRules(null);
            case "ConfigMap" -> new ConfigMapRules();
            case "Secret" -> new SecretRules();
            case "ServiceAccount" -> new ServiceAccountRules();
            case "Event" -> new EventRules(!type.group().isEmpty());
            case "Lease" -> new LeaseRules();
            case "Role", "ClusterRole" -> new RoleRules(kind.equals("ClusterRole"));
            case "RoleBinding", "ClusterRoleBinding" -> new RoleBindingRules(kind.equals("ClusterRoleBinding"));
            case "CustomResourceDefinition" -> new DefinitionKind(Instant::now);
            default -> throw new IllegalStateException(RESOURCE + ": kind " + kind + " has no rules");
        };
    }

    private static List<BuiltInKind> readAll() {
        try (InputStream in = Objects.requireNonNull(BuiltInKinds.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            List<BuiltInKind> kinds = new ArrayList<>();
            for (JsonNode description : Json.read(in.readAllBytes())) {
                kinds.add(read(description));
            }
            return List.copyOf(kinds);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Holder {
        static final List<BuiltInKind> ALL = readAll();
    }
}
