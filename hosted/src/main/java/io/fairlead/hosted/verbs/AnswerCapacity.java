package io.fairlead.hosted.verbs;

import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.objects.WorkMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ByteBudgets;
import io.fairlead.model.CallerName;
import java.util.concurrent.Semaphore;

/*
 * Problem: a list may be as large as a cluster, and a caller may request many at once. One caller or cluster must not
 * use up the heap or the processors that all clusters share. Invariant: bytes that an answer has read and encoded and
 * not handed on yet are counted, before they are read, against its caller's share (one for all clusters), its cluster's
 * and the process's. Only a holder of a turn decodes and encodes, one page at a time, so that with two processors one
 * is left to everything else; turns are granted in order of request, first within a cluster, then among clusters, so
 * that a cluster with many lists gets no more turns than its share. An answer that waits for bytes holds no turn, since
 * answers that hold bytes need turns to release them.
 */
/**
 * Limits the memory and concurrency of the large answers of all hosted clusters.
 *
 * <p>Threads: any.
 */
public final class AnswerCapacity {
    private final HostedMemory memory;
    private final ByteBudgets<CallerName> callers;
    private final WorkMemory work;
    private final Semaphore turns =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), true);

    public AnswerCapacity(HostedMemory memory) {
        this.memory = memory;
        this.work = new WorkMemory(memory);
        this.callers = new ByteBudgets<>(ByteBudget.of(Long.MAX_VALUE), memory.callerBytesMax());
    }

    /** The limits of one cluster. */
    public AnswerShare share() {
        return new AnswerShare(memory, callers, turns, work.ofCluster());
    }
}
