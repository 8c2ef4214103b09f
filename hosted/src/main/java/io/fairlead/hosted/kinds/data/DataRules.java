package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.Scale;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Alike;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.NameRule;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The rules of one kind, as its entry says them. */
final class DataRules implements KindRules {
    private static final String STATUS = "status";

    private static final Set<String> TEMPLATED = Set.of(
            "CronJob",
            "DaemonSet",
            "Deployment",
            "Job",
            "PodTemplate",
            "ReplicaSet",
            "ReplicationController",
            "StatefulSet");

    private final String kind;
    private final Struct goType;
    private final NameRule names;
    private final boolean isJudged;
    private final boolean countsGeneration;
    private final boolean needsResourceVersion;
    private final boolean createsOnUpdate;
    private final boolean answersDeleted;
    private final boolean deletedGracefully;
    private final boolean orphansDependents;
    private final List<String> orphaningWarnings;
    private final boolean keepsStatusOfNew;
    private final boolean checkedWhenNew;
    private final @Nullable String deprecation;
    private final List<String> immutable;
    private final List<String> untouched;
    private final List<String> untouchedBySubresources;
    private final Map<String, String> forbidden = new LinkedHashMap<>();
    private final @Nullable FrozenSpec frozen;
    private final Map<String, String> selectable = new LinkedHashMap<>();
    private final @Nullable ObjectNode firstStatus;

    /**
     * The rules of a kind.
     *
     * @param goType the type of its objects in the version in which they are judged
     * @param description its entry in {@code data-kinds.yaml}
     */
    DataRules(ResourceType type, Struct goType, JsonNode description) {
        this.kind = type.kind();
        this.goType = goType;
        this.isJudged = type.version().equals(type.storageVersion());
        this.names = switch (description.path("names").asString("")) {
            case "" -> NameRule.DNS_SUBDOMAIN;
            case "label" -> NameRule.DNS_LABEL;
            case "path-segment" -> NameRule.PATH_SEGMENT;
            case "ip" -> (name, prefix) -> TextForm.IP.problems(name);
            default -> throw new IllegalStateException("the names of kind " + type.kind());
        };
        this.countsGeneration = description.path("countsGeneration").asBoolean(false);
        this.needsResourceVersion = description.path("needsResourceVersion").asBoolean(false);
        this.createsOnUpdate = description.path("createsOnUpdate").asBoolean(false);
        this.answersDeleted = description.path("answersDeleted").asBoolean(false);
        this.deletedGracefully = description.path("deletedGracefully").asBoolean(false);
        this.orphansDependents = description.path("orphansDependents").asBoolean(false);
        this.orphaningWarnings = Meta.strings(description.path("orphaningWarnings"));
        this.keepsStatusOfNew = description.path("keepsStatusOfNew").asBoolean(false);
        JsonNode deprecated = description.path("deprecation");
        this.deprecation = deprecated.isString() ? deprecated.stringValue() : null;
        this.checkedWhenNew = description.path("checkedWhenNew").asBoolean(false);
        description.path("forbidden").forEachEntry((pointer, detail) -> forbidden.put(pointer, detail.stringValue()));
        this.immutable = Meta.strings(description.path("immutable"));
        this.untouched = Meta.strings(description.path("untouched"));
        this.untouchedBySubresources = Meta.strings(description.path("untouchedBySubresources"));
        this.frozen = FrozenSpec.of(description.path("frozenSpec"));
        description.path("selectable").forEachEntry((field, pointer) -> selectable.put(field, pointer.stringValue()));
        this.firstStatus = keepsStatusOfNew ? null : firstStatus(type, goType);
    }

    /** The status of a new object, as Go writes one that is empty; null if it is left out. */
    private static @Nullable ObjectNode firstStatus(ResourceType type, Struct goType) {
        Field status = type.subresources().contains(STATUS) ? goType.field(STATUS) : null;
        if (status == null || !status.kept() || !(status.type() instanceof Struct struct)) {
            return null;
        }
        ObjectNode empty = TypedDecoder.decode(struct, Json.object(), "", false).tree();
        DataDefaults.apply(struct, empty);
        return empty;
    }

    @Override
    public NameRule nameRule() {
        return names;
    }

    /** As {@code ValidatePodDisruptionBudget} does not. */
    @Override
    public boolean judgesMetadata() {
        return !kind.equals("PodDisruptionBudget");
    }

    @Override
    public boolean allowsUnconditionalUpdate() {
        return !needsResourceVersion;
    }

    @Override
    public boolean createsOnUpdate() {
        return createsOnUpdate;
    }

    @Override
    public boolean answersDeleted() {
        return answersDeleted;
    }

    @Override
    public boolean isDeletedGracefully() {
        return deletedGracefully;
    }

    @Override
    public boolean orphansDependents() {
        return orphansDependents;
    }

    @Override
    public List<String> orphaningWarnings() {
        return orphaningWarnings;
    }

    @Override
    public boolean keepsStatusOfNew() {
        return keepsStatusOfNew;
    }

    @Override
    public boolean qualifiesFinalizers() {
        return true;
    }

    @Override
    public boolean countsGeneration() {
        return countsGeneration;
    }

    @Override
    public Map<String, String> selectableFields() {
        return selectable;
    }

    /** An object that was sent in a version which is not judged has the defaults of that version already. */
    @Override
    public void complete(ObjectNode object) {
        if (isJudged) {
            DataDefaults.apply(goType, object);
        }
    }

    /** What a client says of the status of a new object is ignored. */
    @Override
    public void prepareForCreate(ObjectNode object) {
        if (firstStatus != null) {
            object.set(STATUS, firstStatus.deepCopy());
        }
        Strategies.create(kind, object);
    }

    @Override
    public void prepareForUpdate(ObjectNode object, ObjectNode old) {
        Strategies.update(kind, object, old);
    }

    @Override
    public void prepareForUpdate(String subresource, ObjectNode object, ObjectNode old) {
        if (subresource.equals(STATUS)) {
            Strategies.updateStatus(kind, object, old);
        }
        KindRules.super.prepareForUpdate(subresource, object, old);
    }

    @Override
    public List<Status.Cause> validateCreate(ObjectNode object) {
        FieldErrors errors = new FieldErrors();
        UpdateChecks.firstOfNew(kind, object, errors);
        errors.addAll(DataChecks.of(goType, object));
        UpdateChecks.ofNew(kind, object, errors);
        return Causes.of(errors);
    }

    @Override
    public List<Status.Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        FieldErrors errors = checkedWhenNew ? new FieldErrors() : UpdateChecks.whole(kind, goType, object, old);
        for (String pointer : immutable) {
            JsonNode value = object.at(pointer);
            if (!Alike.are(value, old.at(pointer))) {
                errors.invalid(path(pointer), value, "field is immutable");
            }
        }
        forbidden.forEach((pointer, detail) -> {
            if (!Alike.are(object.at(pointer), old.at(pointer))) {
                errors.forbidden(path(pointer), detail);
            }
        });
        if (UpdateChecks.hasOtherContainers(kind, object, old, errors)) {
            return Causes.of(errors);
        }
        UpdateChecks.of(kind, object, old, errors);
        if (frozen != null) {
            JsonNode before = old.path("spec");
            frozen.check(
                    UpdateChecks.fixed(kind, object.path("spec"), before),
                    UpdateChecks.fixed(kind, before, before),
                    errors);
        }
        return Causes.of(errors);
    }

    private static FieldPath path(String pointer) {
        FieldPath field = FieldPath.ROOT;
        for (String member : pointer.substring(1).split("/", -1)) {
            field = field.child(member);
        }
        return field;
    }

    @Override
    public List<String> warnings(ObjectNode object) {
        return DataWarnings.of(kind, object);
    }

    /**
     * What is said of a Pod or of an Ingress is said once, and what is said of a template each time that the desired state
     * changes ({@code WarningsOnUpdate} of their strategies).
     */
    @Override
    public List<String> updateWarnings(ObjectNode object, ObjectNode old) {
        boolean isSaid = kind.equals("Pod") || kind.equals("Ingress");
        boolean isSame = TEMPLATED.contains(kind)
                && Meta.of(object).path("generation").equals(Meta.of(old).path("generation"));
        return isSaid || isSame ? List.of() : warnings(object);
    }

    @Override
    public @Nullable String deprecation() {
        return deprecation;
    }

    /** A scale changes the spec, too. */
    @Override
    public List<Status.Cause> validateStatusUpdate(String subresource, ObjectNode object, ObjectNode old) {
        boolean isSame = object.path("spec").equals(old.path("spec"));
        Field status = goType.field(STATUS);
        if (isSame && status != null && status.type() instanceof Struct struct) {
            FieldErrors errors = new FieldErrors();
            if (object.get(STATUS) instanceof ObjectNode sent) {
                DataChecks.within(struct.name(), sent, FieldPath.of(STATUS), errors);
            }
            UpdateChecks.ofStatus(kind, subresource, object, old, errors);
            return Causes.of(errors);
        }
        return isSame ? List.of() : Causes.of(DataChecks.of(goType, object));
    }

    @Override
    public ObjectNode merge(String subresource, ObjectNode sent, ObjectNode stored) {
        ObjectNode merged = sent.deepCopy();
        if (subresource.equals(Scale.SUBRESOURCE)) {
            return merged;
        }
        Strategies.merge(kind, subresource, merged, stored);
        untouchedBy(subresource).forEach(path -> keep(path, merged, stored));
        return merged;
    }

    private static void keep(String path, ObjectNode merged, ObjectNode stored) {
        int slash = path.indexOf('/');
        if (slash >= 0) {
            String parent = path.substring(0, slash);
            ObjectNode from = stored.path(parent) instanceof ObjectNode there ? there : Json.object();
            keep(path.substring(slash + 1), merged.withObjectProperty(parent), from);
            return;
        }
        JsonNode value = stored.get(path);
        if (value == null) {
            merged.remove(path);
        } else {
            merged.set(path, value.deepCopy());
        }
    }

    @Override
    public List<String> untouched(boolean hasStatus) {
        return untouched.isEmpty() ? KindRules.super.untouched(hasStatus) : untouched;
    }

    @Override
    public List<String> untouchedBy(String subresource) {
        return untouchedBySubresources.isEmpty() ? List.of("spec") : untouchedBySubresources;
    }
}
