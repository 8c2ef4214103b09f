package io.fairlead.schema.managed;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.managed.ManagedFields.Managed;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What writes do to the managers of an object, and what applying does to the object, for the objects of one resource in one
 * version (structured-merge-diff {@code merge/update.go} with what apimachinery {@code util/managedfields} puts around it).
 *
 * <p>Objects come and go without {@code metadata.managedFields}. Trees that are handed in are not changed; those that are handed
 * out may share parts with them.
 *
 * @param apiVersion the version of the objects
 * @param types the type of the objects in a version that entries may name
 * @param reset the fields that a write through this path never changes ({@code status}, or all but it)
 */
public record FieldManagement(String apiVersion, Types types, FieldSet reset) {
    /** Who has the fields of an object of which managers were not recorded when it is applied first. */
    private static final String BEFORE_FIRST_APPLY = "before-first-apply";

    /** How many versions an object is compared in beside its own, each of which may have to be asked for. */
    private static final int OTHERS_MAX = 8;

    /** The fields that have no manager. */
    private static final FieldSet UNMANAGED = FieldSet.of(List.of(
            List.of("apiVersion"),
            List.of("kind"),
            List.of("metadata"),
            List.of("metadata", "name"),
            List.of("metadata", "namespace"),
            List.of("metadata", "creationTimestamp"),
            List.of("metadata", "selfLink"),
            List.of("metadata", "uid"),
            List.of("metadata", "clusterName"),
            List.of("metadata", "generation"),
            List.of("metadata", "managedFields"),
            List.of("metadata", "resourceVersion")));

    /** The types of the versions of a resource. */
    @FunctionalInterface
    public interface Types {
        /** The type of a version's objects; null if there is no such version any more. */
        @Nullable
        ManagedType of(String apiVersion);

        /** An object of any version in another, for versions that differ in more than their names; the given one is not changed. */
        default ObjectNode in(ObjectNode object, String apiVersion) {
            return object;
        }
    }

    /**
     * Who writes.
     *
     * @param name the manager's name; empty if the client gave none
     * @param subresource the subresource that it writes; empty for the object itself
     * @param time when, in RFC 3339
     */
    public record Writer(String name, String subresource, String time) {
        Writer named(String other) {
            return new Writer(other, subresource, time);
        }
    }

    /**
     * A configuration to apply.
     *
     * @param object what the object shall be like, of the type of this version
     * @param force whether to take the fields that others manage
     * @param earlier what the same client wrote without applying: of that it may take the fields that still have their values
     */
    public record Configuration(ObjectNode object, boolean force, Optional<ObjectNode> earlier) {}

    /**
     * What applying results in.
     *
     * @param object the object
     * @param managers its managers
     */
    public record Applied(ObjectNode object, ManagedFields managers) {}

    /**
     * The managers after a write that does not apply.
     *
     * @param live the object before; the empty object of its kind if it is created
     * @param now the object as the client wants it
     */
    public ManagedFields updated(ObjectNode live, ObjectNode now, ManagedFields managers, Writer writer) {
        Effect effect = new Effect(reconciled(managers), null);
        effect.of(live, now);
        FieldSet written = effect.written().difference(UNMANAGED);
        String name = writer.name().isEmpty() ? "unknown" : writer.name();
        Manager manager = Manager.updating(name, apiVersion, writer.subresource());
        Managed previous = effect.managers.get(manager);
        if (!written.isEmpty()) {
            FieldSet all = previous == null
                    ? written
                    : written.union(previous.fields()).difference(UNMANAGED);
            effect.managers.put(manager, new Managed(apiVersion, all, writer.time()));
        }
        return new ManagedFields(effect.managers).capped();
    }

    /**
     * Applies a configuration.
     *
     * @param live the object as it is; the empty object of its kind if it is created
     * @param empty the empty object of its kind
     * @throws ApplyConflictException if others manage fields that it changes
     */
    public Applied applied(
            ObjectNode live, ObjectNode empty, Configuration configuration, ManagedFields managers, Writer writer) {
        ManagedFields known =
                managers.isEmpty() ? updated(empty, live, managers, writer.named(BEFORE_FIRST_APPLY)) : managers;
        Manager applier = Manager.applying(writer.name(), writer.subresource());
        NavigableMap<Manager, Managed> all = reconciled(known);
        Managed last = all.get(applier);
        String lastTime = last == null ? "" : last.time();
        FieldSet claimed = ObjectFields.of(type(), configuration.object()).without(reset);
        all.put(applier, new Managed(apiVersion, claimed, lastTime));
        ObjectNode object = merged(live, configuration.object());
        if (last != null) {
            object = pruned(object, all, last);
        }
        Effect effect = new Effect(all, applier);
        effect.of(live, object);
        if (!configuration.force()) {
            effect.requireNoConflict(configuration
                    .earlier()
                    .map(earlier -> unchangedSince(earlier, live))
                    .orElseGet(FieldSet::new));
        }
        String time = ValueOrder.same(live, object) ? lastTime : writer.time();
        Managed applied = new Managed(apiVersion, claimed.difference(UNMANAGED), time);
        return new Applied(object, new ManagedFields(effect.managers).with(applier, applied));
    }

    /** What keeps a configuration from being applied: values of other types, members that are not declared, doubled items. */
    public List<String> problems(ObjectNode configuration) {
        return ObjectFields.problems(type(), configuration, false);
    }

    /**
     * What keeps configurations from being applied to an object: it is stored but not of its type, as one may be that is older
     * than its type. Merged, it would lose what cannot be told apart.
     */
    public List<String> problemsOfLive(ObjectNode live) {
        return ObjectFields.problems(type(), live, true);
    }

    private ManagedType type() {
        return Objects.requireNonNull(typeOf(apiVersion), apiVersion);
    }

    private @Nullable ManagedType typeOf(String version) {
        ManagedType type = types.of(version);
        return type == null ? null : new ShallowType(type, ShallowType.LEVELS);
    }

    /**
     * The managers with their fields in line with their types; without those of versions that there are no more, and of more
     * versions than are compared.
     */
    private NavigableMap<Manager, Managed> reconciled(ManagedFields managers) {
        NavigableMap<Manager, Managed> reconciled = new TreeMap<>();
        Set<String> versions = new HashSet<>();
        managers.managers().forEach((manager, managed) -> {
            String version = managed.apiVersion();
            boolean isCompared =
                    version.equals(apiVersion) || versions.contains(version) || versions.size() < OTHERS_MAX;
            ManagedType type = isCompared ? typeOf(version) : null;
            if (type != null) {
                versions.add(version);
                reconciled.put(manager, managed.withFields(Reconciliation.reconcile(type, managed.fields())));
            }
        });
        return reconciled;
    }

    private ObjectNode merged(ObjectNode live, ObjectNode configuration) {
        return Merging.merge(type(), live, configuration) instanceof ObjectNode merged ? merged : Json.object();
    }

    /** The fields that a configuration gave and that the object still has like that. */
    private FieldSet unchangedSince(ObjectNode configuration, ObjectNode live) {
        if (!configuration.path("apiVersion").asString("").equals(apiVersion)
                || !problems(configuration).isEmpty()) {
            return new FieldSet();
        }
        Comparison comparison = Comparison.of(type(), configuration, live);
        return ObjectFields.of(type(), configuration)
                .difference(comparison.modified())
                .difference(comparison.added())
                .difference(comparison.removed());
    }

    /**
     * The object without the fields that the applier gave the last time, does not give now, and no other manager has.
     *
     * @param managers the managers, the applier with what it gives now
     * @param last what the applier gave the last time
     */
    private ObjectNode pruned(ObjectNode merged, NavigableMap<Manager, Managed> managers, Managed last) {
        ManagedType type = typeOf(last.apiVersion());
        if (type == null || last.fields().isEmpty()) {
            return merged;
        }
        ObjectNode whole = types.in(merged, last.apiVersion());
        FieldSet given = last.fields().withDeclaredMembers(type);
        ObjectNode pruned = ObjectFields.without(type, whole, given);
        SequencedMap<String, FieldSet> owned = new LinkedHashMap<>();
        owned.put(last.apiVersion(), new FieldSet());
        managers.values()
                .forEach(managed -> owned.computeIfAbsent(managed.apiVersion(), _ -> new FieldSet())
                        .absorb(managed.fields()));
        for (Map.Entry<String, FieldSet> version : owned.entrySet()) {
            ManagedType versionType = typeOf(version.getKey());
            if (versionType != null) {
                String there = version.getKey();
                pruned = withOwned(versionType, types.in(merged, there), types.in(pruned, there), version.getValue());
            }
        }
        FieldSet left = members(type, types.in(pruned, last.apiVersion()));
        FieldSet dangling = members(type, whole).difference(left).intersection(given);
        return types.in(ObjectFields.without(type, whole, dangling), apiVersion);
    }

    /** Adds back the fields that were taken away although they have a manager. */
    private static ObjectNode withOwned(ManagedType type, ObjectNode merged, ObjectNode pruned, FieldSet owned) {
        FieldSet kept = members(type, pruned).union(owned.withDeclaredMembers(type));
        return ObjectFields.without(type, merged, members(type, merged).difference(kept));
    }

    private static FieldSet members(ManagedType type, ObjectNode object) {
        return ObjectFields.of(type, object).withDeclaredMembers(type);
    }

    /** What a change of the object does to its managers. */
    private final class Effect {
        private final NavigableMap<Manager, Managed> managers;
        private final @Nullable Manager applier;
        private final NavigableMap<Manager, FieldSet> conflicts = new TreeMap<>();
        private FieldSet written = new FieldSet();

        /** @param applier who keeps its fields, or null */
        Effect(NavigableMap<Manager, Managed> managers, @Nullable Manager applier) {
            this.managers = managers;
            this.applier = applier;
        }

        /** Takes from all others the fields that change or go, those of one version after the other. */
        void of(ObjectNode live, ObjectNode now) {
            Set<String> versions = new TreeSet<>();
            versions.add(apiVersion);
            managers.values().forEach(managed -> versions.add(managed.apiVersion()));
            for (String version : versions) {
                ManagedType type = typeOf(version);
                if (type != null) {
                    boolean isOwn = version.equals(apiVersion);
                    take(
                            version,
                            Comparison.of(
                                            type,
                                            isOwn ? live : types.in(live, version),
                                            isOwn ? now : types.in(now, version))
                                    .without(reset));
                }
            }
            managers.values().removeIf(managed -> managed.fields().isEmpty());
        }

        private void take(String version, Comparison comparison) {
            FieldSet changed = comparison.changed();
            if (version.equals(apiVersion)) {
                written = changed;
            }
            managers.replaceAll((manager, managed) -> {
                if (manager.equals(applier) || !managed.apiVersion().equals(version)) {
                    return managed;
                }
                FieldSet taken = managed.fields().intersection(changed);
                if (!taken.isEmpty()) {
                    conflicts.put(manager, taken);
                }
                return managed.withFields(managed.fields().difference(taken).difference(comparison.removed()));
            });
        }

        /** The fields of this version that the new object has otherwise. */
        FieldSet written() {
            return written;
        }

        /** @param allowed the fields that may be taken from others, if all that are in conflict are among them */
        void requireNoConflict(FieldSet allowed) {
            conflicts.replaceAll((manager, fields) -> fields.difference(allowed));
            conflicts.values().removeIf(FieldSet::isEmpty);
            if (!conflicts.isEmpty()) {
                throw new ApplyConflictException(conflicts);
            }
        }
    }
}
