package io.fairlead.index;

import java.util.List;

/** The answer about a group/version or a resource of a cluster, with its evidence. */
public sealed interface Lookup {
    /** The evidence of the answer. */
    Evidence evidence();

    /** The answer without evidence. */
    Answer answer();

    /**
     * At least one holder serves it.
     *
     * @param holders the holders, ordered by type and name; its size is the count
     */
    record Served(List<Holder> holders, Evidence evidence) implements Lookup {
        public Served {
            holders = List.copyOf(holders);
        }

        @Override
        public Answer answer() {
            return Answer.SERVED;
        }
    }

    /** The cluster's view is complete and has no holder. */
    record Absent(Evidence evidence) implements Lookup {
        @Override
        public Answer answer() {
            return Answer.ABSENT;
        }
    }

    /** The view cannot decide: never an answer of 404, never "no conflict". */
    record Unknown(Reason reason, Evidence evidence) implements Lookup {
        @Override
        public Answer answer() {
            return Answer.UNKNOWN;
        }
    }

    /** Why the answer is unknown. */
    enum Reason {
        /** No ledger is open for the cluster. */
        NO_SUCH_CLUSTER,
        /** Not every feed of the cluster has delivered a complete list yet. */
        NOT_SYNCED,
        /** A feed is interrupted, and its earlier claims do not include the resource. */
        LOST,
        /** The API server itself serves the group/version, with an unknown list of resources. */
        RESOURCES_UNLISTED
    }
}
