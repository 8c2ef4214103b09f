package io.fairlead.hosted.kinds;

import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.NameRule;
import io.fairlead.schema.meta.Names;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Events (kubernetes {@code core/validation/events.go}). Writes through the older API are checked leniently for old
 * clients; problems name the fields of the core form in both.
 *
 * @param newer whether these are the events of {@code events.k8s.io}
 */
record EventRules(boolean newer) implements KindRules {
    private static final int SHORT_TEXT_MAX = 128;
    private static final int NOTE_MAX = 1024;
    private static final List<String> REFERENCE =
            List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath");

    /** The fields that the newer API never changes, except the time, which it compares to the microsecond. */
    private static final List<String> IMMUTABLE = List.of(
            "involvedObject",
            "reason",
            "message",
            "source",
            "firstTimestamp",
            "lastTimestamp",
            "count",
            "type",
            "eventTime",
            "action",
            "related",
            "reportingController",
            "reportingInstance");

    /** Those of which Go's zero value is an empty text. */
    private static final Set<String> TEXTS =
            Set.of("reason", "message", "type", "action", "reportingController", "reportingInstance");

    @Override
    public NameRule nameRule() {
        return newer ? NameRule.DNS_SUBDOMAIN : NameRule.PATH_SEGMENT;
    }

    @Override
    public boolean judgesMetadata() {
        return newer;
    }

    @Override
    public boolean allowsUnconditionalUpdate() {
        return true;
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }

    @Override
    public boolean countsGeneration() {
        return false;
    }

    @Override
    public boolean ownsDependents() {
        return false;
    }

    @Override
    public Map<String, String> selectableFields() {
        Map<String, String> fields = new LinkedHashMap<>();
        String object = newer ? "regarding" : "involvedObject";
        REFERENCE.forEach(field -> fields.put(object + "." + field, "/" + object + "/" + field));
        fields.put("reason", "/reason");
        fields.put("type", "/type");
        if (newer) {
            fields.put("reportingController", "/reportingController");
        } else {
            fields.put("reportingComponent", "/reportingComponent");
            fields.put("source", "/source/component /reportingComponent");
        }
        return fields;
    }

    @Override
    public List<Status.Cause> validateCreate(ObjectNode event) {
        FieldErrors errors = new FieldErrors();
        checkLeniently(event, errors);
        if (newer) {
            checkSeries(event, errors);
            checkNew(event, errors);
        }
        return Causes.of(errors);
    }

    @Override
    public List<Status.Cause> validateUpdate(ObjectNode event, ObjectNode old) {
        FieldErrors errors = new FieldErrors();
        checkLeniently(event, errors);
        if (newer) {
            if (!event.path("series").equals(old.path("series"))) {
                checkSeries(event, errors);
            }
            checkUnchanged(event, old, errors);
        }
        return Causes.of(errors);
    }

    private void checkLeniently(ObjectNode event, FieldErrors errors) {
        String objectNamespace = event.path("involvedObject").path("namespace").asString("");
        String namespace = Meta.namespace(event);
        boolean fits = isSet(event.path("eventTime"))
                ? !objectNamespace.isEmpty()
                        || List.of("default", "kube-system").contains(namespace)
                : objectNamespace.equals(namespace) || (objectNamespace.isEmpty() && namespace.equals("default"));
        if (!fits) {
            errors.invalid(
                    FieldPath.of("involvedObject", "namespace"), objectNamespace, "does not match event.namespace");
        }
        if (isSet(event.path("eventTime"))) {
            checkReporter(event, errors);
            checkText(event, "action", SHORT_TEXT_MAX, errors);
            checkText(event, "reason", SHORT_TEXT_MAX, errors);
            checkLength(event, "message", NOTE_MAX, errors);
        }
    }

    private void checkReporter(ObjectNode event, FieldErrors errors) {
        FieldPath path = FieldPath.of(newer ? "reportingController" : "reportingComponent");
        String controller = event.path("reportingComponent").asString("");
        if (controller.isEmpty()) {
            errors.required(path, "");
        }
        errors.invalid(path, controller, Names.qualifiedName(controller));
        checkText(event, "reportingInstance", SHORT_TEXT_MAX, errors);
    }

    private static void checkText(ObjectNode event, String field, int lengthMax, FieldErrors errors) {
        if (event.path(field).asString("").isEmpty()) {
            errors.required(FieldPath.of(field), "");
        }
        checkLength(event, field, lengthMax, errors);
    }

    private static void checkLength(ObjectNode event, String field, int lengthMax, FieldErrors errors) {
        if (event.path(field).asString("").length() > lengthMax) {
            errors.invalid(FieldPath.of(field), "", "can have at most " + lengthMax + " characters");
        }
    }

    private static void checkSeries(ObjectNode event, FieldErrors errors) {
        JsonNode series = event.path("series");
        if (!series.isObject()) {
            return;
        }
        if (series.path("count").asLong(0) < 2) {
            errors.invalid(FieldPath.of("series.count"), "", "should be at least 2");
        }
        if (!isSet(series.path("lastObservedTime"))) {
            errors.required(FieldPath.of("series.lastObservedTime"), "");
        }
    }

    private static void checkNew(ObjectNode event, FieldErrors errors) {
        if (!isSet(event.path("eventTime"))) {
            errors.required(FieldPath.of("eventTime"), "");
        }
        String type = event.path("type").asString("");
        if (!type.equals("Normal") && !type.equals("Warning")) {
            errors.invalid(FieldPath.of("type"), "", "has invalid value: " + type);
        }
        boolean counted = event.path("count").asLong(0) != 0;
        requireUnset("firstTimestamp", isSet(event.path("firstTimestamp")), errors);
        requireUnset("lastTimestamp", isSet(event.path("lastTimestamp")), errors);
        requireUnset("count", counted, errors);
        requireUnset("source", !event.path("source").isEmpty(), errors);
    }

    private static void requireUnset(String field, boolean set, FieldErrors errors) {
        if (set) {
            errors.invalid(FieldPath.of(field), "", "needs to be unset");
        }
    }

    private static void checkUnchanged(ObjectNode event, ObjectNode old, FieldErrors errors) {
        for (String field : IMMUTABLE) {
            String coreField = field.equals("reportingController") ? "reportingComponent" : field;
            if (!event.path(coreField).equals(old.path(coreField))) {
                boolean isText = TEXTS.contains(field);
                JsonNode shown = event.path(coreField);
                errors.invalid(
                        FieldPath.of(field),
                        isText && shown.isMissingNode() ? Json.nodes().stringNode("") : shown,
                        "field is immutable");
            }
        }
    }

    private static boolean isSet(JsonNode time) {
        return time.isString() && !time.stringValue().isEmpty();
    }
}
