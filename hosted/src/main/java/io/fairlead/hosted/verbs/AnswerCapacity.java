package io.fairlead.hosted.verbs;

import io.fairlead.hosted.HostedMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ByteBudgets;
import io.fairlead.model.CallerName;
import java.util.concurrent.Semaphore;

/*
 * Problem: a list may be as large as a cluster, and any caller may ask for many at once. Neither the heap nor the processors
 * that all clusters share may be filled by one caller or one cluster.
 *
 * Invariant: what an answer has read and encoded and not handed on yet is counted, of its caller's share, which is one for all
 * clusters, of its cluster's and of the process's, before it is read. Only who has a turn decodes and encodes, one page at a time, so that a processor
 * is left to everything else where there are two; turns are given in the order in which they were asked for, first within a
 * cluster, then among clusters, so that a cluster with many lists takes no more turns than its share.
 *
 * Who waits for bytes has no turn, as those who hold bytes need turns to give them back.
 */
/**
 * What the large answers of all hosted clusters may hold and do at once.
 *
 * <p>Threads: any.
 */
public final class AnswerCapacity {
    private final HostedMemory memory;
    private final ByteBudgets<CallerName> callers;
    private final Semaphore turns =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), true);

    public AnswerCapacity(HostedMemory memory) {
        this.memory = memory;
        this.callers = new ByteBudgets<>(ByteBudget.of(Long.MAX_VALUE), memory.callerBytesMax());
    }

    /** The share of one cluster. */
    public AnswerShare share() {
        return new AnswerShare(memory, callers, turns);
    }
}
