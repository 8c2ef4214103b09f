package io.fairlead.schema.structural;

import com.google.common.base.Suppliers;
import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.managed.ManagedType;
import io.fairlead.schema.text.Effort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The schema of one version of a custom resource, and all that it does to objects.
 *
 * <p>A body is first {@link #read}, then {@link #validate validated}. Immutable and safe for any thread; the tree it was
 * made of must not change.
 */
public final class StructuralSchema {
    private static final Set<FieldError.Type> BLOCKING = Set.of(
            FieldError.Type.NOT_SUPPORTED,
            FieldError.Type.REQUIRED,
            FieldError.Type.TOO_LONG,
            FieldError.Type.TOO_MANY,
            FieldError.Type.TYPE_INVALID);

    private final JsonSchema schema;
    private final JsonSchema resource;
    /** Compiled when an object is judged first, as most schemas are read for other reasons. */
    private final Supplier<Optional<RuleTree>> rules;

    private final Supplier<DefaultsSize> defaults;

    private StructuralSchema(JsonSchema schema) {
        this.schema = schema;
        this.resource = schema.asResourceRoot();
        this.rules = Suppliers.memoize(() -> RuleTree.of(schema));
        this.defaults = Suppliers.memoize(() -> DefaultsSize.of(schema));
    }

    /**
     * The schema of a tree that was decoded as {@link SchemaTypes#JSON_SCHEMA_PROPS}. Whether it is allowed is a question
     * of its own: {@link #problems}.
     */
    public static StructuralSchema of(ObjectNode openApiV3Schema) {
        return new StructuralSchema(JsonSchema.of(openApiV3Schema));
    }

    /** The tree of the schema; it must not be changed. */
    public ObjectNode tree() {
        return schema.tree;
    }

    /**
     * Everything that keeps the schema from being the schema of a custom resource, defaults included.
     *
     * @param effort of the whole definition; what takes more is a problem itself
     */
    public FieldErrors problems(FieldPath path, Effort effort) {
        FieldErrors errors = new FieldErrors();
        String unsupported = SchemaRules.firstUnsupported(schema);
        if (unsupported.isEmpty()) {
            errors.addAll(StructuralRules.check(schema, path, effort));
            if (errors.isEmpty()) {
                errors.addAll(DefaultRules.check(schema, path, effort));
            }
        }
        SchemaRules.check(schema, path, errors);
        if (errors.isEmpty() && !unsupported.isEmpty()) {
            errors.invalid(path, "", "OpenAPIV3Schema '" + unsupported + "' is not supported");
        }
        if (errors.isEmpty()) {
            RuleChecks.check(schema, path, errors);
        }
        return errors;
    }

    /** The formats of the schema that are not known and therefore not enforced. */
    public List<String> unrecognizedFormats() {
        List<String> formats = new ArrayList<>();
        SchemaRules.unrecognizedFormats(schema.tree, formats);
        return formats;
    }

    /**
     * The findings of decoding an object.
     * @param unknownFields the paths of dropped fields, sorted ({@code spec.x}, {@code metadata.y})
     * @param problems invalid metadata; a body that has any is refused with 400
     */
    public record Reading(List<String> unknownFields, FieldErrors problems) {
        public Reading {
            unknownFields = List.copyOf(unknownFields);
        }

        /** What field validation says about each dropped field ({@code unknown field "spec.x"}). */
        public List<String> messages() {
            return unknownFields.stream()
                    .map(path -> "unknown field \"" + path + "\"")
                    .toList();
        }
    }

    /**
     * Brings an object into the form of the schema, in place: metadata of its type, unknown fields pruned, defaults filled
     * in.
     *
     * @param stored whether the object comes from storage, so that malformed metadata, and defaults beyond what there is room
     *     for, are dropped instead of refused
     */
    public Reading read(ObjectNode object, boolean stored) {
        EmbeddedResources.Coerced coerced = EmbeddedResources.coerce(object, resource, FieldPath.ROOT, stored);
        List<String> unknown = new ArrayList<>(coerced.unknownFields());
        unknown.addAll(Pruning.prune(object, resource));
        Collections.sort(unknown);
        FieldErrors problems = coerced.errors();
        if (!Defaulting.apply(object, schema) && !stored) {
            refuseLongDefaults(problems);
        }
        return new Reading(unknown, problems);
    }

    /** Brings an object that was converted to the schema's version into its form, in place: without defaults. */
    public void readConverted(ObjectNode object) {
        EmbeddedResources.coerce(object, resource, FieldPath.ROOT, true);
        Pruning.prune(object, resource);
        Defaulting.dropNulls(object, schema);
    }

    /**
     * Brings an object to which a configuration was applied into the form of the schema, in place: metadata of its type, unknown
     * fields pruned, defaults filled in. Nulls that are not allowed stay and are not {@link #validate valid}.
     *
     * @return what keeps it from that form
     */
    public FieldErrors complete(ObjectNode applied) {
        FieldErrors problems = EmbeddedResources.coerce(applied, resource, FieldPath.ROOT, false)
                .errors();
        Pruning.prune(applied, resource);
        if (!Defaulting.fill(applied, schema)) {
            refuseLongDefaults(problems);
        }
        return problems;
    }

    private static void refuseLongDefaults(FieldErrors problems) {
        problems.invalid(
                FieldPath.ROOT,
                "",
                "the defaults of its type would add more than " + Defaulting.BYTES_MAX
                        + " bytes to it in memory (expected shorter lists in the object, or shorter defaults)");
    }

    /** Removes unknown fields in place, and returns their paths. */
    public List<String> prune(ObjectNode object) {
        return Pruning.prune(object, resource);
    }

    /** Fills in the defaults, in place; not all if they are too long together. */
    public void applyDefaults(ObjectNode object) {
        Defaulting.apply(object, schema);
    }

    /** How many bytes its defaults add at most to the tree of an object that has so many values. */
    public long defaultsBytesMax(long values) {
        return defaults.get().of(values);
    }

    /** As what server-side apply manages: the whole object, metadata included. */
    public ManagedType managed() {
        return ManagedSchema.ofResource(resource);
    }

    /** Judges the values of a new object. */
    public FieldErrors validate(ObjectNode object) {
        FieldErrors errors = new FieldErrors();
        judge(object, null, errors);
        return errors;
    }

    /** Judges the values of an object that replaces {@code old}; what was wrong before and is unchanged is let pass. */
    public FieldErrors validateUpdate(ObjectNode object, ObjectNode old) {
        FieldErrors errors = new FieldErrors();
        judge(object, old, errors);
        return errors;
    }

    /** Adds the problems of an object's values to those of its metadata, which may be such that no rule is evaluated. */
    public void judge(ObjectNode object, @Nullable ObjectNode old, FieldErrors errors) {
        values(object, old, errors);
        structure(object, old, errors);
        rules(object, old, errors);
    }

    /**
     * As {@link #judge}, of a write of the status: of the values the status alone, and no embedded resources, whatever else the
     * schema came to say since the object was stored (apiextensions-apiserver {@code customresource/validator.go},
     * {@code ValidateStatusUpdate}).
     */
    public void judgeStatus(ObjectNode object, ObjectNode old, FieldErrors errors) {
        statusValues(object, old, errors);
        uniqueness(object, old, errors);
        rules(object, old, errors);
    }

    /** The part of validation that comes from the values alone. */
    public void values(ObjectNode object, @Nullable ObjectNode old, FieldErrors errors) {
        ValueValidation.validate(schema, object, old, new Effort()).addTo(errors, FieldPath.ROOT);
    }

    /** As {@link #values}, but only of the status. */
    public void statusValues(ObjectNode object, ObjectNode old, FieldErrors errors) {
        JsonSchema status = schema.properties.get("status");
        JsonNode value = object.get("status");
        if (status != null && value != null) {
            ValueValidation.validate(status, value, old.get("status"), new Effort())
                    .addTo(errors, FieldPath.of("status"));
        }
    }

    /** The part of validation that comes from embedded resources and from keys of sets and list maps. */
    public void structure(ObjectNode object, @Nullable ObjectNode old, FieldErrors errors) {
        EmbeddedResources.check(object, schema, FieldPath.ROOT, errors);
        uniqueness(object, old, errors);
    }

    private void uniqueness(ObjectNode object, @Nullable ObjectNode old, FieldErrors errors) {
        FieldErrors before = new FieldErrors();
        if (old != null) {
            ListUniqueness.check(old, schema, FieldPath.ROOT, before);
        }
        if (before.isEmpty()) {
            ListUniqueness.check(object, schema, FieldPath.ROOT, errors);
        }
    }

    /**
     * The part of validation that comes from rules in CEL. They need values of their types, so that they are not evaluated if
     * there are errors of such kinds.
     *
     * @param errors those of the object so far, to which is added
     */
    public void rules(ObjectNode object, @Nullable ObjectNode old, FieldErrors errors) {
        Optional<RuleTree> tree = rules.get();
        if (tree.isEmpty()) {
            return;
        }
        if (errors.list().stream().anyMatch(error -> BLOCKING.contains(error.type()))) {
            errors.invalid(
                    FieldPath.ROOT,
                    Json.nodes().nullNode(),
                    "some validation rules were not checked because the object was invalid; correct the existing"
                            + " errors to complete validation");
            return;
        }
        RuleValidation.validate(tree.get(), object, old, errors);
    }

    /**
     * Follows a simple path like {@code .spec.color} to the type of the field.
     *
     * @throws IllegalArgumentException saying why the path leads nowhere
     */
    public String typeAt(String jsonPath) {
        JsonSchema at = schema;
        if (!jsonPath.startsWith(".")) {
            throw new IllegalArgumentException("expected [ or . but got: " + jsonPath.split("[.\\[\\]]", 2)[0]);
        }
        for (String name : jsonPath.substring(1).split("\\.", -1)) {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("unexpected end of JSON path");
            }
            if (name.contains("[")) {
                throw new IllegalArgumentException("array notation is not allowed");
            }
            JsonSchema member = at.properties.isEmpty() ? at.additionalProperties.schema() : at.properties.get(name);
            if (member == null) {
                throw new IllegalArgumentException("does not refer to a valid field");
            }
            at = member;
        }
        return at.type;
    }
}
