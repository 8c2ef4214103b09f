package io.fairlead.index;

import java.util.List;

/** What the index knows about a group/version or a resource of a cluster, and how old that knowledge is. */
public sealed interface Lookup {
    /** What the answer rests on. */
    Evidence evidence();

    /** The answer alone. */
    Answer answer();

    /**
     * At least one holder serves it.
     *
     * @param holders who serves it, ordered by type and name; its size is the count
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

    /** The cluster's view is complete and nobody serves it. */
    record Absent(Evidence evidence) implements Lookup {
        @Override
        public Answer answer() {
            return Answer.ABSENT;
        }
    }

    /** The view cannot tell: never an answer of 404, never "no conflict". */
    record Unknown(Reason reason, Evidence evidence) implements Lookup {
        @Override
        public Answer answer() {
            return Answer.UNKNOWN;
        }
    }

    /** Why the index does not know. */
    enum Reason {
        /** No ledger is open for the cluster. */
        NO_SUCH_CLUSTER,
        /** Not every feed of the cluster has delivered a complete list yet. */
        NOT_SYNCED,
        /** A feed is interrupted, and what it held before does not include what was asked. */
        LOST,
        /** The group/version is served by the API server itself, which does not say here with which resources. */
        RESOURCES_UNLISTED
    }
}
