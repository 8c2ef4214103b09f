package io.fairlead.clustersync.source;

import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import java.util.List;
import java.util.Set;

/** What a {@link TypeSource} tells of the types that a cluster serves. */
public sealed interface TypeChange {
    /** Every holder of some types, as of a resource version (empty if there is none); replaces what was told before. */
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

    /** Changes of some types may go unheard, for longer than is usual. */
    record Lost(Set<HolderType> types, Finding why) implements TypeChange {
        public Lost {
            types = Set.copyOf(types);
        }
    }

    /** Changes of some types are heard again, and none was missed. */
    record Current(Set<HolderType> types) implements TypeChange {
        public Current {
            types = Set.copyOf(types);
        }
    }

    /** The cluster has another history than the one that was told: none of it counts. Everything is to be listed anew. */
    record Replaced(String why) implements TypeChange {}

    /** An attempt to learn of some types failed; another follows. What was told before holds until it is lost. */
    record Failed(Set<HolderType> types, Finding why) implements TypeChange {
        public Failed {
            types = Set.copyOf(types);
        }
    }
}
