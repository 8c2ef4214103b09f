package io.fairlead.gateway.limits;

import com.github.benmanes.caffeine.cache.Cache;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Questions to clusters, of which equal ones at the same time are asked once. An answer is remembered before any waiter gets it, and
 * before the question can be asked again; a failure is not remembered. Any thread; nothing here waits.
 */
public final class AskedOnce<Q, A> {
    private final Cache<Q, A> known;
    private final ConcurrentMap<Q, CompletableFuture<A>> underWay = new ConcurrentHashMap<>();

    /** @param known where answers are remembered */
    public AskedOnce(Cache<Q, A> known) {
        this.known = known;
    }

    /** The answer to a question: the one that is known, that of an equal question in progress, or of one that is asked now. */
    public CompletableFuture<A> ask(Q question, Supplier<CompletableFuture<A>> asking) {
        CompletableFuture<A> mine = new CompletableFuture<>();
        CompletableFuture<A> others = underWay.putIfAbsent(question, mine);
        if (others != null) {
            return others;
        }
        A answer = known.getIfPresent(question);
        if (answer != null) { // Another thread has asked since the look-up.
            underWay.remove(question);
            mine.complete(answer);
            return mine;
        }
        try {
            asking.get().whenComplete((heard, failure) -> heard(question, mine, heard, failure));
        } catch (RuntimeException | Error e) {
            heard(question, mine, null, e);
        }
        return mine;
    }

    private void heard(Q question, CompletableFuture<A> asked, @Nullable A answer, @Nullable Throwable failure) {
        if (answer != null) {
            known.put(question, answer);
        }
        underWay.remove(question);
        if (failure == null) {
            asked.complete(answer);
        } else {
            asked.completeExceptionally(failure);
        }
    }
}
