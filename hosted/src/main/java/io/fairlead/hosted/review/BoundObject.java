package io.fairlead.hosted.review;

import io.fairlead.hosted.identity.Binding;
import io.fairlead.hosted.identity.TokenObjects;
import io.fairlead.hosted.identity.TokenObjects.Kind;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.GroupResource;
import io.fairlead.schema.field.GoText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The object to which a token is to be bound, looked up and compared with what the request says of it.
 *
 * @param account the ServiceAccount of the token
 */
record BoundObject(TokenObjects objects, ObjectNode account) {
    /**
     * The claims of a reference.
     *
     * @param ref {@code spec.boundObjectRef}
     * @throws io.fairlead.model.StatusException 400 for a kind to which none is bound, 404, and 409 for another uid
     */
    Binding binding(JsonNode ref) {
        String apiVersion = text(ref, "apiVersion");
        String kind = text(ref, "kind");
        return switch (group(apiVersion).isEmpty() ? kind : "") {
            case "Secret" -> Binding.toSecret(reference(find(Kind.SECRET, ref)));
            case "Pod" -> toPod(ref);
            case "Node" -> Binding.toNode(reference(find(Kind.NODE, ref)));
            default -> throw Refusals.badRequest("cannot bind token to object of type " + goText(apiVersion, kind));
        };
    }

    private Binding toPod(JsonNode ref) {
        ObjectNode pod = found(Kind.POD, text(ref, "name"));
        String name = Meta.name(account);
        if (!pod.at("/spec/serviceAccountName").asString("").equals(name)) {
            throw Refusals.badRequest("cannot bind token for serviceaccount " + GoText.quote(name)
                    + " to pod running with different serviceaccount name.");
        }
        requireUid(pod, ref);
        return Binding.toPod(reference(pod), nodeOf(pod));
    }

    /** The node of a pod by its name, and with its uid if there is one of that name. */
    private Binding.@Nullable Ref nodeOf(ObjectNode pod) {
        String name = pod.at("/spec/nodeName").asString("");
        return name.isEmpty()
                ? null
                : objects.find(Kind.NODE, "", name)
                        .map(BoundObject::reference)
                        .orElseGet(() -> new Binding.Ref(name, ""));
    }

    private ObjectNode find(Kind kind, JsonNode ref) {
        ObjectNode found = found(kind, text(ref, "name"));
        requireUid(found, ref);
        return found;
    }

    private ObjectNode found(Kind kind, String name) {
        requireSegment(name);
        String namespace = kind == Kind.NODE ? "" : Meta.namespace(account);
        return objects.find(kind, namespace, name)
                .orElseThrow(() -> Refusals.notFound(new GroupResource("", kind.plural()), name));
    }

    private static void requireUid(ObjectNode found, JsonNode ref) {
        String uid = text(ref, "uid");
        if (!uid.isEmpty() && !uid.equals(Meta.uid(found))) {
            throw Refusals.conflict(
                    new GroupResource("", text(ref, "kind")),
                    text(ref, "name"),
                    "the UID in the bound object reference (" + uid
                            + ") does not match the UID in record. The object might have been deleted and then"
                            + " recreated");
        }
    }

    /** Refuses a name that is no segment of a path (apimachinery {@code api/validation/path}). */
    private static void requireSegment(String name) {
        if (name.isEmpty()) {
            throw Refusals.badRequest("Name parameter required.");
        }
        List<String> problems = new ArrayList<>();
        if (name.equals(".") || name.equals("..")) {
            problems.add("may not be '" + name + "'");
        }
        for (String illegal : List.of("/", "%")) {
            if (name.contains(illegal)) {
                problems.add("may not contain '" + illegal + "'");
            }
        }
        if (!problems.isEmpty()) {
            throw Refusals.badRequest(
                    "Name parameter invalid: " + GoText.quote(name) + ": " + String.join(";", problems));
        }
    }

    private static Binding.Ref reference(ObjectNode object) {
        return new Binding.Ref(Meta.name(object), Meta.uid(object));
    }

    /** The group in an apiVersion; what is none has none. */
    private static String group(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 || slash != apiVersion.lastIndexOf('/') ? "" : apiVersion.substring(0, slash);
    }

    /** As Go prints a kind with its version. */
    private static String goText(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        boolean isReadable = slash == apiVersion.lastIndexOf('/');
        String version = isReadable ? apiVersion.substring(slash + 1) : "";
        return group(apiVersion) + "/" + version + ", Kind=" + kind;
    }

    private static String text(JsonNode object, String name) {
        return object.path(name).asString("");
    }
}
