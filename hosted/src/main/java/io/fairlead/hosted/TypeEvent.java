package io.fairlead.hosted;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An event about the types that a hosted cluster serves. */
public sealed interface TypeEvent {
    /** Everything that is served as of a revision; replaces earlier events. */
    record Complete(List<ServedType> types, long revision) implements TypeEvent {}

    /** A CRD or an APIService is new or changed; {@link ServedType#uid()} distinguishes incarnations. */
    record Upserted(ServedType type, long revision) implements TypeEvent {}

    /** A CRD or an APIService is gone. */
    record Removed(ServedType type, long revision) implements TypeEvent {}

    /** What makes a cluster serve a type. */
    enum Holding {
        BUILT_IN,
        DEFINITION,
        API_SERVICE
    }

    /**
     * A holder of group/versions: a CRD that is established, the built-in kinds of one group, or an APIService that names the
     * service of a backend, which serves the whole version.
     *
     * @param name the object's name, or the group for built-in kinds
     * @param uid the object's uid, or the group for built-in kinds
     * @param group the group, empty for the core group
     * @param versions the served versions; empty while a CRD is not established
     * @param resources the plural names of the resources; empty for an APIService
     * @param definition the CRD as it is stored; null for others
     * @param revision of the object as it is stored; 0 for built-in kinds
     */
    record ServedType(
            Holding holding,
            String name,
            String uid,
            String group,
            Set<String> versions,
            Set<String> resources,
            @Nullable StoredDefinition definition,
            long revision) {
        /** Whether it is built in. */
        public boolean builtIn() {
            return holding == Holding.BUILT_IN;
        }

        /** The same type of a CRD of which only irrelevant parts changed, such as annotations. */
        public ServedType storedAs(StoredDefinition changed, long changedAt) {
            return new ServedType(holding, name, uid, group, versions, resources, changed, changedAt);
        }
    }
}
