package io.fairlead.gateway.authn.jwt;

import io.fairlead.schema.cel.Identifiers;
import io.fairlead.schema.cel.value.ListKind;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.MapValue;
import io.fairlead.schema.cel.value.Values;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON as the expressions of kube-apiserver's authenticator see it (apiserver {@code oidc.go}): every number is a double, and a
 * member that is no identifier goes by its escaped name as well ({@code example__dot__org}).
 */
final class ClaimValues {
    private ClaimValues() {}

    static Object of(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> new Members((ObjectNode) node);
            case ARRAY -> ListValue.lazy(node.size(), ListKind.ATOMIC, i -> of(node.get(i)));
            case NUMBER -> node.doubleValue();
            default -> Values.ofJson(node);
        };
    }

    private record Members(ObjectNode object) implements MapValue {
        @Override
        public int size() {
            return object.size();
        }

        @Override
        public @Nullable Object find(Object key) {
            JsonNode member = key instanceof String name
                    ? object.get(Identifiers.unescape(name).orElse(name))
                    : null;
            return member == null ? null : of(member);
        }

        @Override
        public List<Object> keys() {
            return new ArrayList<>(object.propertyNames());
        }
    }
}
