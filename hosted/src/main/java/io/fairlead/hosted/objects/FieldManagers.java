package io.fairlead.hosted.objects;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.managed.ApplyConflictException;
import io.fairlead.schema.managed.FieldManagement;
import io.fairlead.schema.managed.FieldManagement.Writer;
import io.fairlead.schema.managed.FieldSet;
import io.fairlead.schema.managed.ManagedFields;
import io.fairlead.schema.managed.ManagedType;
import io.fairlead.schema.meta.ObjectMetadata;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * {@code metadata.managedFields} on every write, and server-side apply (KEP-555; apimachinery {@code util/managedfields}).
 *
 * <p>An object without managers has none until a configuration is applied to it: one that Fairlead itself made, or that an
 * earlier version stored. Its fields are then those of {@code before-first-apply}.
 */
final class FieldManagers {
    private static final String MANAGED_FIELDS = "managedFields";
    /** The client that turns from annotations to server-side apply, and takes with it what it wrote. */
    private static final String KUBECTL = "kubectl";

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private final InstantSource clock;

    FieldManagers(InstantSource clock) {
        this.clock = clock;
    }

    /** Records who manages a new object; what the client sent as managers counts as its earlier ones. */
    void created(ServedResource resource, String subresource, Caller caller, ObjectNode object) {
        JsonNode sent = Meta.of(object).remove(MANAGED_FIELDS);
        if (!caller.recordsManagers()) {
            return;
        }
        ManagedFields managers = isReset(sent) ? ManagedFields.NONE : read(sent).orElse(ManagedFields.NONE);
        View view = View.of(resource, subresource);
        set(
                object,
                view.management()
                        .updated(resource.codec().empty(), view.shown(object), managers, writer(caller, subresource)));
    }

    /**
     * Records who manages a changed object.
     *
     * @param sent the managers in the client's object; an empty list, or a list of one empty entry, removes all
     * @param written the object as the client wants it: annotations may stand for what it cannot change
     */
    void updated(
            ServedResource resource,
            String subresource,
            Caller caller,
            @Nullable JsonNode sent,
            ObjectNode object,
            ObjectNode stored,
            ObjectNode written) {
        Meta.of(object).remove(MANAGED_FIELDS);
        ManagedFields managers = managersBefore(subresource, sent, stored);
        if (managers.isEmpty()) {
            return;
        }
        View view = View.of(resource, subresource);
        set(
                object,
                view.whole(
                        managers,
                        view.management()
                                .updated(
                                        withoutManagers(view.shown(stored)),
                                        withoutManagers(view.shown(written)),
                                        view.part(managers),
                                        writer(caller, subresource))));
    }

    private static ManagedFields managersBefore(String subresource, @Nullable JsonNode sent, ObjectNode stored) {
        if (subresource.isEmpty() && isReset(sent)) {
            return ManagedFields.NONE;
        }
        return Optional.ofNullable(subresource.isEmpty() ? sent : null)
                .flatMap(FieldManagers::read)
                .filter(managers -> !managers.isEmpty())
                .or(() -> read(managersOf(stored)))
                .orElse(ManagedFields.NONE);
    }

    /**
     * The object after a configuration was applied to it, with its managers.
     *
     * @param stored the object as it is; empty if there is none
     * @throws StatusException 409 if others manage what the configuration changes, 500 if it is not of the type
     */
    ObjectNode applied(
            ServedResource resource,
            String subresource,
            Caller caller,
            ObjectNode stored,
            AppliedConfiguration configuration) {
        View view = View.of(resource, subresource);
        requireFitting(view, configuration.object());
        if (!resource.type().namespaced()) {
            Meta.of(configuration.object()).remove("namespace");
        }
        ObjectNode empty = view.facet().codec().empty();
        ObjectNode live = stored.isEmpty() ? empty : withoutManagers(view.shown(stored));
        ResourceType type = view.facet().type();
        requireTyped(
                "live",
                live,
                GoText.groupVersionKind(type.groupVersion().apiVersion(), type.kind()),
                view.management().problemsOfLive(live));
        ManagedFields managers = read(managersOf(stored)).orElse(ManagedFields.NONE);
        Optional<ObjectNode> earlier = caller.manager().equals(KUBECTL) ? lastApplied(live) : Optional.empty();
        try {
            FieldManagement.Applied applied = view.management()
                    .applied(
                            live,
                            empty,
                            new FieldManagement.Configuration(configuration.object(), configuration.force(), earlier),
                            view.part(managers),
                            writer(caller, subresource));
            // What changes nothing gets no defaults of its version either.
            ObjectNode changed = applied.object().equals(live)
                    ? applied.object().deepCopy()
                    : completed(view.facet(), applied.object(), configuration.object());
            configuration.checks().run();
            if (caller.manager().equals(KUBECTL)) {
                renewLastApplied(changed, configuration.object());
            }
            Preconditions.ofPatch(resource, view.facet().type(), stored, changed);
            ObjectNode object = view.facet().wanted(changed, stored);
            set(object, view.whole(managers, applied.managers()));
            return object;
        } catch (ApplyConflictException e) {
            throw conflict(e);
        }
    }

    /**
     * What a path shows of an object, and who manages that.
     *
     * @param scale whose number alone is shown; null if the whole object is
     */
    private record View(
            Facet facet,
            FieldManagement management,
            @Nullable Scale scale) {
        static View of(ServedResource resource, String subresource) {
            Facet facet = Facet.of(resource, subresource);
            String apiVersion = resource.type().groupVersion().apiVersion();
            if (facet instanceof Scale scale) {
                ManagedType type = Objects.requireNonNull(
                        scale.codec().managedType(scale.type().groupVersion().apiVersion()));
                return new View(facet, new FieldManagement(apiVersion, _ -> type, FieldSet.of(List.of())), scale);
            }
            List<String> untouched = subresource.isEmpty()
                    ? resource.rules().untouched(resource.hasStatus())
                    : resource.rules().untouchedBy(subresource);
            FieldSet reset = FieldSet.of(
                    untouched.stream().map(path -> List.of(path.split("/", -1))).toList());
            return new View(facet, new FieldManagement(apiVersion, new Types(resource.codec()), reset), null);
        }

        ObjectNode shown(ObjectNode object) {
            return facet.changeable(object);
        }

        ManagedFields part(ManagedFields managers) {
            return scale == null ? managers : managers.managing(scale.specReplicas(), Scale.REPLICAS);
        }

        ManagedFields whole(ManagedFields before, ManagedFields part) {
            return scale == null ? part : before.withOwners(scale.specReplicas(), part, Scale.REPLICAS);
        }
    }

    /** The versions of a resource, as its codec knows them. */
    private record Types(Codec codec) implements FieldManagement.Types {
        @Override
        public @Nullable ManagedType of(String apiVersion) {
            return codec.managedType(apiVersion);
        }

        @Override
        public ObjectNode in(ObjectNode object, String apiVersion) {
            return codec.inVersion(object, apiVersion);
        }
    }

    /**
     * Refuses what is no configuration of the kind; with 500 what is one but does not have its types, in the words of
     * kube-apiserver.
     */
    private static void requireFitting(View view, ObjectNode configuration) {
        ResourceType type = view.facet().type();
        String expected = GoText.groupVersionKind(type.groupVersion().apiVersion(), type.kind());
        String given = GoText.groupVersionKind(text(configuration, "apiVersion"), text(configuration, "kind"));
        if (!given.equals(expected)) {
            throw Refusals.badRequest("invalid object type: " + given);
        }
        if (configuration.path("metadata").path(MANAGED_FIELDS).isArray()) {
            throw Refusals.badRequest("metadata.managedFields must be nil");
        }
        requireTyped("patch", configuration, given, view.management().problems(configuration));
    }

    private static String text(ObjectNode object, String member) {
        return object.path(member) instanceof StringNode text ? text.stringValue() : "";
    }

    private static void requireTyped(String what, ObjectNode object, String type, List<String> problems) {
        if (!problems.isEmpty()) {
            String all = problems.size() == 1 ? problems.getFirst() : "errors:\n  " + String.join("\n  ", problems);
            throw untyped("failed to create typed " + what + " object (" + named(object, type) + "): " + all);
        }
    }

    private static StatusException untyped(String problem) {
        return new StatusException(Status.of(500, "", problem));
    }

    /** As kube-apiserver names an object in such refusals. */
    private static String named(ObjectNode object, String type) {
        ObjectNode metadata = object.get("metadata") instanceof ObjectNode given ? given : Json.object();
        return text(metadata, "namespace") + "/" + text(metadata, "name") + "; " + type;
    }

    /**
     * An object to which a configuration was applied, in its Go type.
     *
     * @throws StatusException 500 if the type cannot hold it, in the words of kube-apiserver
     */
    private static ObjectNode completed(Facet facet, ObjectNode applied, ObjectNode configuration) {
        try {
            return facet.codec().completed(applied);
        } catch (StatusException e) {
            if (facet.codec().goType() == null) {
                throw e;
            }
            String type = GoText.groupVersionKind(
                    facet.type().groupVersion().apiVersion(), facet.type().kind());
            throw untyped("failed to convert new object (" + named(configuration, type) + ") to proper version: "
                    + e.status().message());
        }
    }

    private static StatusException conflict(ApplyConflictException conflict) {
        List<Status.Cause> causes = conflict.conflicts().stream()
                .map(field -> new Status.Cause("FieldManagerConflict", field.message(), field.path()))
                .toList();
        return new StatusException(
                new Status(409, "Conflict", conflict.getMessage(), new Status.Details("", "", "", "", causes, 0)));
    }

    private Writer writer(Caller caller, String subresource) {
        return new Writer(caller.manager(), subresource, Meta.time(clock.instant()));
    }

    /** An explicit {@code []} or {@code [{}]}. */
    private static boolean isReset(@Nullable JsonNode sent) {
        return sent instanceof ArrayNode entries
                && (entries.isEmpty() || (entries.size() == 1 && entries.get(0).isEmpty()));
    }

    /** Empty if they cannot be read, which counts as none. */
    private static Optional<ManagedFields> read(@Nullable JsonNode entries) {
        try {
            return Optional.of(ManagedFields.read(entries));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static @Nullable JsonNode managersOf(ObjectNode object) {
        return object.path("metadata").get(MANAGED_FIELDS);
    }

    /** Gives an object the managers that it said itself. */
    static void keep(ObjectNode object, @Nullable JsonNode said) {
        if (said == null) {
            Meta.of(object).remove(MANAGED_FIELDS);
        } else {
            Meta.of(object).set(MANAGED_FIELDS, said);
        }
    }

    private static void set(ObjectNode object, ManagedFields managers) {
        if (managers.isEmpty()) {
            Meta.of(object).remove(MANAGED_FIELDS);
        } else {
            Meta.of(object).set(MANAGED_FIELDS, managers.write());
        }
    }

    private static ObjectNode withoutManagers(ObjectNode object) {
        if (managersOf(object) == null) {
            return object;
        }
        ObjectNode copy = Json.object().setAll(object);
        ObjectNode metadata = Json.object().setAll(Meta.of(object));
        metadata.remove(MANAGED_FIELDS);
        copy.set("metadata", metadata);
        return copy;
    }

    /** Takes back the times at which managers wrote if nothing else changes (apiserver {@code fieldmanager/equality.go}). */
    static void keepTimes(ObjectNode object, ObjectNode stored) {
        JsonNode now = managersOf(object);
        JsonNode before = managersOf(stored);
        if (now != null
                && before != null
                && !now.equals(before)
                && withoutTimes(now).equals(withoutTimes(before))
                && withoutManagers(object).equals(withoutManagers(stored))) {
            Meta.of(object).set(MANAGED_FIELDS, before);
        }
    }

    private static JsonNode withoutTimes(JsonNode entries) {
        JsonNode copy = entries.deepCopy();
        for (JsonNode entry : copy.values()) {
            ((ObjectNode) entry).remove("time");
        }
        return copy;
    }

    private static Optional<ObjectNode> lastApplied(ObjectNode live) {
        String text = Meta.annotations(live).getOrDefault(LAST_APPLIED, "");
        try {
            return !text.isEmpty() && Json.read(text) instanceof ObjectNode object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (UnreadableDocumentException e) {
            return Optional.empty(); // of a client that wrote the annotation itself
        }
    }

    /** So that the client can go back to applying by the annotation; dropped where it would be too long. */
    private static void renewLastApplied(ObjectNode object, ObjectNode configuration) {
        if (Meta.annotations(object).getOrDefault(LAST_APPLIED, "").isEmpty()) {
            return;
        }
        ObjectNode annotations = (ObjectNode) Meta.of(object).get("annotations");
        ObjectNode written = configuration.deepCopy();
        if (written.path("metadata").path("annotations") instanceof ObjectNode sent) {
            sent.remove(LAST_APPLIED);
        }
        annotations.put(LAST_APPLIED, GoText.json(written) + "\n");
        if (ObjectMetadata.areTooLong(annotations)) {
            annotations.remove(LAST_APPLIED);
        }
    }
}
