package io.fairlead.gateway.flow;

import io.fairlead.gateway.answer.Outcome;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.model.CallerName;
import io.fairlead.model.StatusException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A short call that waits for its seat. It observes its request until then: a client that leaves takes its call out of the
 * queue, or gives the seat back that its call got meanwhile.
 *
 * <p>Threads: any; {@link #over} on the request's event loop.
 */
public final class WaitingCall implements Outcome {
    private final ShortCalls calls;
    private final ShortCalls.OfCluster cluster;
    private final CallerName caller;
    private final long bytes;
    private final Function<Share, Admitted> admitted;
    private final Function<Limit, StatusException> refused;
    private final CompletableFuture<Admitted> admission = new CompletableFuture<>();

    /**
     * A call that does not wait yet.
     *
     * @param bytes about what it keeps in the heap
     * @param admitted what it is with its seat
     * @param refused what it hears by the limit that leaves no room for it
     */
    WaitingCall(
            ShortCalls calls,
            ShortCalls.OfCluster cluster,
            CallerName caller,
            long bytes,
            Function<Share, Admitted> admitted,
            Function<Limit, StatusException> refused) {
        this.calls = calls;
        this.cluster = cluster;
        this.caller = caller;
        this.bytes = bytes;
        this.admitted = admitted;
        this.refused = refused;
    }

    /** Completes with the request and its share, or with a {@link StatusException} with 429; on any thread. */
    public CompletionStage<Admitted> admission() {
        return admission;
    }

    /** It has waited as long as it may. */
    public void expire() {
        if (calls.withdraw(this)) {
            refuse(cluster.inTheWay(caller));
        }
    }

    @Override
    public void over() {
        if (!calls.withdraw(this)) {
            admission.thenAccept(seated -> seated.share().release());
        }
    }

    ShortCalls.OfCluster cluster() {
        return cluster;
    }

    CallerName caller() {
        return caller;
    }

    long bytes() {
        return bytes;
    }

    void seat(Share share) {
        admission.complete(admitted.apply(share));
    }

    void refuse(Limit limit) {
        admission.completeExceptionally(refused.apply(limit));
    }
}
