package io.fairlead.hosted.kinds;

import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.crd.DefinitionKind;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The kinds that every hosted cluster serves without a CRD. */
public final class BuiltInKinds {
    /** The namespace of the root cluster in which Fairlead keeps credentials. */
    public static final String ROOT_NAMESPACE = "fairlead-system";

    private static final String RESOURCE = "built-in-kinds.json";

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
        ResourceType type = KindDescriptions.type(description, (ObjectNode) description.path("schema"));
        return new BuiltInKind(type, BuiltInKind.Decoding.TYPED, rules(type), List.of());
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

    private static final class Holder {
        static final List<BuiltInKind> ALL = KindDescriptions.read(BuiltInKinds.class, RESOURCE).stream()
                .map(BuiltInKinds::read)
                .toList();
    }
}
