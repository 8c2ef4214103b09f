package io.fairlead.hosted.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/**
 * Tells which revisions are older than events live, an hour as in kube-apiserver ({@code --event-ttl}).
 *
 * <p>An event's age is that of its last write, which its revision tells: every sweep notes which revision was the newest
 * at that time. After a start nothing is known of the past, so that what was there lives an hour from then on. Threads:
 * one at a time.
 */
public final class EventExpiry {
    static final Duration LIFETIME = Duration.ofHours(1);
    public static final Duration INTERVAL = Duration.ofMinutes(5);

    private final ArrayDeque<Sample> samples = new ArrayDeque<>();

    private record Sample(Instant time, long revision) {}

    /**
     * Notes the newest revision.
     *
     * @return the newest revision that is as old as events live, 0 if none is known to be
     */
    public long expired(Instant now, long newestRevision) {
        samples.addLast(new Sample(now, newestRevision));
        long expired = 0;
        while (!samples.getFirst().time().isAfter(now.minus(LIFETIME))) {
            expired = samples.removeFirst().revision();
        }
        return expired;
    }
}
