package io.fairlead.hosted;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An event about the types that a hosted cluster serves. */
public sealed interface TypeEvent {
    /** Everything that is served as of a revision; replaces earlier events. */
    record Complete(List<ServedType> types, long revision) implements TypeEvent {}

    /** A CRD is new or changed; {@link ServedType#uid()} distinguishes incarnations. */
    record Upserted(ServedType type, long revision) implements TypeEvent {}

    /** A CRD is gone. */
    record Removed(ServedType type, long revision) implements TypeEvent {}

    /**
     * A holder of group/versions: a CRD that is established, or the built-in kinds of one group.
     *
     * @param builtIn whether it is built in and not a CRD
     * @param name the CRD's name, or the group for built-in kinds
     * @param uid the CRD's uid, or the group for built-in kinds
     * @param group the group, empty for the core group
     * @param versions the served versions; empty while a CRD is not established
     * @param resources the plural names of the resources
     * @param definition the CRD as it is stored; null for built-in kinds
     * @param revision of the CRD as it is stored; 0 for built-in kinds
     */
    record ServedType(
            boolean builtIn,
            String name,
            String uid,
            String group,
            Set<String> versions,
            Set<String> resources,
            @Nullable StoredDefinition definition,
            long revision) {
        /** The same type of a CRD of which only irrelevant parts changed, such as annotations. */
        public ServedType storedAs(StoredDefinition changed, long changedAt) {
            return new ServedType(builtIn, name, uid, group, versions, resources, changed, changedAt);
        }
    }
}
