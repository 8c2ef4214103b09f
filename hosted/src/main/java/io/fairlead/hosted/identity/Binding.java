package io.fairlead.hosted.identity;

import io.fairlead.schema.json.Json;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The object with which a token ends, beside its ServiceAccount. Immutable.
 *
 * @param objects by the names of their claims; of a pod its node as well, which is said and not checked
 */
public record Binding(Map<String, Ref> objects) {
    static final String SECRET = "secret";
    static final String POD = "pod";
    static final String NODE = "node";

    /** To nothing but the ServiceAccount. */
    public static final Binding NONE = new Binding(Map.of());

    public Binding {
        objects = Map.copyOf(objects);
    }

    /**
     * An object that a token names.
     *
     * @param uid empty if it is not known
     */
    public record Ref(String name, String uid) {
        ObjectNode claim() {
            ObjectNode claim = Json.object().put("name", name);
            return uid.isEmpty() ? claim : claim.put("uid", uid);
        }
    }

    /** To a Secret. */
    public static Binding toSecret(Ref secret) {
        return new Binding(Map.of(SECRET, secret));
    }

    /** To a node. */
    public static Binding toNode(Ref node) {
        return new Binding(Map.of(NODE, node));
    }

    /**
     * To a pod.
     *
     * @param node on which it is; null if on none yet
     */
    public static Binding toPod(Ref pod, @Nullable Ref node) {
        return new Binding(node == null ? Map.of(POD, pod) : Map.of(POD, pod, NODE, node));
    }

    void addTo(ObjectNode claims) {
        new TreeMap<>(objects).forEach((kind, ref) -> claims.set(kind, ref.claim()));
    }
}
