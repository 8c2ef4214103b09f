package io.fairlead.clustersync.source;

import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import java.util.List;
import java.util.Set;

/** An event of a {@link TypeSource} about the types that a cluster serves. */
public sealed interface TypeChange {
    /** Every holder of some types, as of a resource version (empty if there is none); replaces earlier events. */
    record Complete(Set<HolderType> types, List<Holder> holders, String resourceVersion) implements TypeChange {
        public Complete {
            types = Set.copyOf(types);
            holders = List.copyOf(holders);
        }
    }

    /** A holder is new or changed. */
    record Upserted(Holder holder) implements TypeChange {}

    /** An incarnation of a holder is gone. */
    record Deleted(HolderType type, String name, String uid, String resourceVersion) implements TypeChange {}

    /** Nothing else happened to some types up to a resource version. */
    record Bookmark(Set<HolderType> types, String resourceVersion) implements TypeChange {
        public Bookmark {
            types = Set.copyOf(types);
        }
    }

    /** Changes of some types may be missed, for longer than usual. */
    record Lost(Set<HolderType> types, Finding why) implements TypeChange {
        public Lost {
            types = Set.copyOf(types);
        }
    }

    /** Changes of some types are received again, and none was missed. */
    record Current(Set<HolderType> types) implements TypeChange {
        public Current {
            types = Set.copyOf(types);
        }
    }

    /**
     * The cluster has another history than the reported one: earlier events are invalid. Everything must be listed
     * again.
     *
     * @param shared the highest resource version at which both have the same object; empty if there is none
     */
    record Replaced(String why, String shared) implements TypeChange {}

    /** An attempt to list some types failed; another follows. Earlier events hold until the types are lost. */
    record Failed(Set<HolderType> types, Finding why) implements TypeChange {
        public Failed {
            types = Set.copyOf(types);
        }
    }
}
