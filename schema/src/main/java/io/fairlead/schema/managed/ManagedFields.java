package io.fairlead.schema.managed;

import io.fairlead.schema.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The managers of an object and their fields, as {@code metadata.managedFields} has them (apimachinery
 * {@code util/managedfields/internal/managedfields.go}). Immutable.
 */
public final class ManagedFields {
    /** Those of an object without managers. */
    public static final ManagedFields NONE = new ManagedFields(new TreeMap<>());

    /** How many managers that update are remembered apart. */
    private static final int UPDATERS_MAX = 10;
    /** Who has the fields of all earlier ones. */
    private static final String ANCIENT_CHANGES = "ancient-changes";

    /** How many entries a client may send; an object has some dozens at most. */
    private static final int ENTRIES_MAX = 1_000;

    private static final String FIELDS_TYPE = "FieldsV1";

    /**
     * The fields of one manager.
     *
     * @param apiVersion the version that they are fields of
     * @param fields the fields
     * @param time when the manager wrote last, in RFC 3339; empty if not known
     */
    record Managed(String apiVersion, FieldSet fields, String time) {
        long seconds() {
            try {
                return time.isEmpty() ? 0 : Instant.parse(time).getEpochSecond();
            } catch (DateTimeException e) {
                return 0; // of a client that wrote the entries itself
            }
        }

        Managed withFields(FieldSet changed) {
            return new Managed(apiVersion, changed, time);
        }
    }

    private final NavigableMap<Manager, Managed> managers;

    ManagedFields(NavigableMap<Manager, Managed> managers) {
        this.managers = Collections.unmodifiableNavigableMap(managers);
    }

    NavigableMap<Manager, Managed> managers() {
        return managers;
    }

    public boolean isEmpty() {
        return managers.isEmpty();
    }

    /**
     * Reads {@code metadata.managedFields}; of null, none.
     *
     * @throws IllegalArgumentException naming the first entry that cannot be read, or the number of entries if they are too many
     */
    public static ManagedFields read(@Nullable JsonNode entries) {
        NavigableMap<Manager, Managed> managers = new TreeMap<>();
        int index = 0;
        if (entries != null && entries.size() > ENTRIES_MAX) {
            throw new IllegalArgumentException(
                    "managedFields has " + entries.size() + " entries (expected at most " + ENTRIES_MAX + ")");
        }
        for (JsonNode entry : entries instanceof ArrayNode array ? array.values() : List.<JsonNode>of()) {
            String operation = entry.path("operation").asString("");
            String apiVersion = entry.path("apiVersion").asString("");
            String fieldsType = entry.path("fieldsType").asString("");
            boolean applies = operation.equals("Apply");
            if (!applies && !operation.equals("Update")) {
                throw new IllegalArgumentException(
                        "managedFields[" + index + "].operation: \"" + operation + "\" (expected Apply or Update)");
            }
            if (apiVersion.isEmpty() || !fieldsType.equals(FIELDS_TYPE)) {
                throw new IllegalArgumentException("managedFields[" + index + "]: apiVersion \"" + apiVersion
                        + "\", fieldsType \"" + fieldsType + "\" (expected a version and " + FIELDS_TYPE + ")");
            }
            Manager manager = new Manager(
                    entry.path("manager").asString(""),
                    applies,
                    applies ? "" : apiVersion,
                    entry.path("subresource").asString(""));
            JsonNode fields = entry.get("fieldsV1");
            managers.put(
                    manager,
                    new Managed(
                            apiVersion,
                            fields == null || fields.isNull() ? new FieldSet() : FieldSet.read(fields),
                            entry.path("time").asString("")));
            index++;
        }
        return new ManagedFields(managers);
    }

    /** As {@code metadata.managedFields}: those that apply first, in each group the oldest first. */
    public ArrayNode write() {
        ArrayNode entries = Json.array();
        managers.entrySet().stream()
                .sorted(Comparator.<Map.Entry<Manager, Managed>, Boolean>comparing(
                                entry -> entry.getKey().applies(), Comparator.reverseOrder())
                        .thenComparingLong(entry -> entry.getValue().seconds())
                        .thenComparing(entry -> entry.getKey().name())
                        .thenComparing(entry -> entry.getValue().apiVersion())
                        .thenComparing(entry -> entry.getKey().subresource()))
                .forEach(entry -> entries.add(written(entry.getKey(), entry.getValue())));
        return entries;
    }

    private static ObjectNode written(Manager manager, Managed managed) {
        ObjectNode entry = Json.object();
        putUnlessEmpty(entry, "manager", manager.name());
        entry.put("operation", manager.applies() ? "Apply" : "Update");
        entry.put("apiVersion", managed.apiVersion());
        putUnlessEmpty(entry, "time", managed.time());
        entry.put("fieldsType", FIELDS_TYPE);
        entry.set("fieldsV1", managed.fields().write());
        putUnlessEmpty(entry, "subresource", manager.subresource());
        return entry;
    }

    private static void putUnlessEmpty(ObjectNode entry, String name, String value) {
        if (!value.isEmpty()) {
            entry.put(name, value);
        }
    }

    /**
     * The managers of one field, as managers of that field under another path: of a subresource that shows it.
     *
     * @param path the members that lead to the field
     * @param shownAs the members that lead to it in the subresource
     */
    public ManagedFields managing(List<String> path, List<String> shownAs) {
        FieldSet shown = FieldSet.of(List.of(shownAs));
        NavigableMap<Manager, Managed> own = new TreeMap<>();
        managers.forEach((manager, managed) -> {
            if (managed.fields().has(path)) {
                own.put(manager, managed.withFields(shown));
            }
        });
        return new ManagedFields(own);
    }

    /**
     * With other managers of one field. The times of their writes are not taken over, as kube-apiserver takes none over from a
     * scale (apimachinery {@code scalehandler.go}): those that managed something before have the time of that, new ones none.
     *
     * @param path the members that lead to the field
     * @param shown the managers of what shows it, as {@link #managing} has them
     * @param shownAs the members that lead to it there
     */
    public ManagedFields withOwners(List<String> path, ManagedFields shown, List<String> shownAs) {
        ManagedFields owners = shown.managing(shownAs, shownAs);
        FieldSet field = FieldSet.of(List.of(path));
        NavigableMap<Manager, Managed> all = new TreeMap<>();
        managers.forEach((manager, managed) -> {
            Managed own = owners.managers.get(manager);
            FieldSet fields = own == null ? managed.fields().difference(field) : managed.fields();
            if (!fields.isEmpty()) {
                all.put(manager, managed.withFields(fields));
            }
        });
        owners.managers.forEach(
                (manager, managed) -> all.putIfAbsent(manager, new Managed(managed.apiVersion(), field, "")));
        return new ManagedFields(all);
    }

    /** With an entry of a manager's own; with none if there are no fields. */
    ManagedFields with(Manager manager, Managed managed) {
        NavigableMap<Manager, Managed> changed = new TreeMap<>(managers);
        if (managed.fields().isEmpty()) {
            changed.remove(manager);
        } else {
            changed.put(manager, managed);
        }
        return new ManagedFields(changed);
    }

    /**
     * With no more managers that update than are remembered apart: the fields of the oldest ones of each version become those of
     * one manager (apimachinery {@code capmanagers.go}).
     */
    ManagedFields capped() {
        List<Manager> updaters = managers.keySet().stream()
                .filter(manager -> !manager.applies())
                .sorted(Comparator.<Manager>comparingLong(
                                manager -> entry(manager).seconds())
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        int left = updaters.size();
        if (left <= UPDATERS_MAX) {
            return this;
        }
        NavigableMap<Manager, Managed> capped = new TreeMap<>(managers);
        Map<String, FieldSet> gathered = new HashMap<>();
        Map<String, Manager> firsts = new HashMap<>();
        for (Manager updater : updaters) {
            if (left <= UPDATERS_MAX) {
                break;
            }
            Managed managed = entry(updater);
            String version = managed.apiVersion();
            Manager first = firsts.putIfAbsent(version, updater);
            if (first == null) {
                continue;
            }
            Manager ancient = Manager.updating(ANCIENT_CHANGES, version, "");
            FieldSet fields = gathered.get(version);
            if (fields == null) {
                fields = new FieldSet();
                gathered.put(version, fields);
                // An entry of that name from before, if there is one, else the first.
                Managed begun = capped.containsKey(ancient) ? capped.get(ancient) : capped.remove(first);
                if (begun != null) {
                    fields.absorb(begun.fields());
                }
            }
            capped.remove(updater);
            fields.absorb(managed.fields());
            capped.put(ancient, managed.withFields(fields));
            left--;
        }
        return new ManagedFields(capped);
    }

    private Managed entry(Manager manager) {
        return Objects.requireNonNull(managers.get(manager));
    }
}
