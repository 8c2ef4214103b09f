package io.fairlead.clustersync;

import io.fairlead.index.ClusterLedger;
import io.fairlead.index.history.KnownHistory;
import io.fairlead.index.history.NamedRevision;
import io.fairlead.index.history.Rewind;
import io.fairlead.index.history.RewoundRevisions;
import io.fairlead.model.ResourceVersion;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The rewinds of one attached cluster, and what requests may name after them. Threads: any; never blocks. */
final class ClusterHistory {
    private static final CompletionStage<NamedRevision> CURRENT =
            CompletableFuture.completedStage(NamedRevision.CURRENT);

    private final ClusterLedger ledger;
    private final Supplier<CompletableFuture<String>> head;
    private final InstantSource clock;
    private final Duration grace;
    private final SeenHead seen;

    /** Written by the feed, one report at a time. */
    private volatile RewoundRevisions rewound;

    /**
     * @param known of it from before
     * @param head asks the cluster; empty if it does not say
     * @param grace for how long a rewind expires all that it covers
     * @param seen the highest head that the cluster has answered with
     */
    ClusterHistory(
            ClusterLedger ledger,
            KnownHistory known,
            Supplier<CompletableFuture<String>> head,
            InstantSource clock,
            Duration grace,
            SeenHead seen) {
        this.ledger = ledger;
        this.rewound = known.rewound();
        this.head = head;
        this.clock = clock;
        this.grace = grace;
        this.seen = seen;
    }

    RewoundRevisions rewound() {
        return rewound;
    }

    /** Records that the history was rewound, as {@link IndexFeed.Replacement} has it. */
    void rewound(String shared, String oldHead) {
        rewound = rewound.with(new Rewind(shared, newest(seen.seen(), oldHead), clock.instant()));
    }

    /** As {@link io.fairlead.index.history.Histories#judge}. */
    CompletionStage<NamedRevision> judge(String named) {
        seen.named(named);
        if (rewound.isEmpty()) {
            return CURRENT;
        }
        NamedRevision found = judge(named, "");
        return found == NamedRevision.ABOVE_HEAD
                ? head.get().thenApply(asked -> asked.isEmpty() ? NamedRevision.CURRENT : judge(named, asked))
                : CompletableFuture.completedStage(found);
    }

    /** What the informers have heard of is up to a minute behind what the cluster has given out. */
    private NamedRevision judge(String named, String asked) {
        String heard = ledger.view().evidence().resourceVersion();
        return rewound.judge(named, newest(asked, heard), clock.instant(), grace);
    }

    /** @param one empty if it is not known */
    private static String newest(String one, String other) {
        return one.isEmpty() || ResourceVersion.isNewer(other, one) ? other : one;
    }
}
