package io.fairlead.hosted.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/**
 * Tells which revisions are older than events live.
 *
 * <p>An event's age is that of its last write, which its revision tells: every sweep notes which revision was the newest
 * at that time. After a start nothing is known of the past, so that what was there lives on for as long from then. Threads:
 * one at a time.
 */
public final class EventExpiry {
    public static final Duration INTERVAL = Duration.ofMinutes(5);

    private final Duration lifetime;
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();

    /** @param lifetime how long events live, up to {@link #INTERVAL} longer */
    public EventExpiry(Duration lifetime) {
        this.lifetime = lifetime;
    }

    private record Sample(Instant time, long revision) {}

    /**
     * Records the newest revision.
     *
     * @return the newest revision that is as old as the lifetime of events, 0 if none is known to be
     */
    public long expired(Instant now, long newestRevision) {
        samples.addLast(new Sample(now, newestRevision));
        long expired = 0;
        while (!samples.getFirst().time().isAfter(now.minus(lifetime))) {
            expired = samples.removeFirst().revision();
        }
        return expired;
    }
}
