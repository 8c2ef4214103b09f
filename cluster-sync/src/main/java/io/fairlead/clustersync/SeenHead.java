package io.fairlead.clustersync;

import io.fairlead.index.ClusterLedger;
import io.fairlead.model.ResourceVersion;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The highest head that a cluster has answered with in its present epoch. Its informers hear of its head by a bookmark each
 * minute; what was given out since they would not miss if the cluster was restored to a point in between. So when a request
 * names a version that they have not heard of, the cluster is asked, {@linkplain #ASKED_EVERY once a second} at most: an
 * answer below an earlier one proves a rewind, since both are consistent lists of one resource.
 *
 * <p>Threads: any; never blocks.
 */
final class SeenHead {
    static final Duration ASKED_EVERY = Duration.ofSeconds(1);

    private final ClusterLedger ledger;
    private final Supplier<CompletableFuture<String>> question;
    private final LongSupplier nanoTime;
    private final LongConsumer whenBehind;

    private String seen = "";
    private long seenInEpoch;
    private boolean asking;
    private long nextNanos;

    /**
     * @param question asks for the head; empty if the cluster does not say
     * @param nanoTime the elapsed time, as {@link System#nanoTime}
     * @param whenBehind receives the epoch that has ended by a proof; must not block
     */
    SeenHead(
            ClusterLedger ledger,
            Supplier<CompletableFuture<String>> question,
            LongSupplier nanoTime,
            LongConsumer whenBehind) {
        this.ledger = ledger;
        this.question = question;
        this.nanoTime = nanoTime;
        this.whenBehind = whenBehind;
        this.nextNanos = nanoTime.getAsLong();
    }

    /** A request names a version; it may be one that no cluster has given out. */
    void named(String version) {
        if (ResourceVersion.isNewer(version, ledger.view().evidence().resourceVersion())) {
            ask();
        }
    }

    /** The highest of the present epoch; empty if the cluster was not asked. */
    synchronized String seen() {
        return seenIn(ledger.view().evidence().epoch());
    }

    private void ask() {
        long epoch = ledger.view().evidence().epoch();
        String before;
        synchronized (this) {
            long now = nanoTime.getAsLong();
            if (asking || now - nextNanos < 0) {
                return;
            }
            asking = true;
            nextNanos = now + ASKED_EVERY.toNanos();
            before = seenIn(epoch);
        }
        question.get().thenAccept(head -> answered(epoch, before, head));
    }

    /** Answers of another epoch may be those of another server. */
    private void answered(long epoch, String before, String head) {
        boolean isPresent = ledger.view().evidence().epoch() == epoch;
        boolean isBehind = isPresent && ResourceVersion.isNewer(before, head);
        synchronized (this) {
            asking = false;
            if (isPresent && !isBehind && ResourceVersion.isComparable(head)) {
                seen = head;
                seenInEpoch = epoch;
            }
        }
        if (isBehind) {
            whenBehind.accept(epoch);
        }
    }

    private String seenIn(long epoch) {
        return seenInEpoch == epoch ? seen : "";
    }
}
