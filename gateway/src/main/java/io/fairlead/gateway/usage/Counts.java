package io.fairlead.gateway.usage;

/**
 * What is under way, and how many requests there were.
 *
 * @param requests how many, since they are counted
 * @param shortCalls that are being answered
 * @param waiting short calls that wait for a seat
 * @param watches that are open
 * @param streams the other long-running requests: logs, exec, attach, port-forward and proxy
 * @param bytes about what all of them keep in the heap: heads, and bodies for hosted clusters
 */
public record Counts(long requests, int shortCalls, int waiting, int watches, int streams, long bytes) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

    Counts plus(Counts other) {
        return new Counts(
                requests + other.requests,
                shortCalls + other.shortCalls,
                waiting + other.waiting,
                watches + other.watches,
                streams + other.streams,
                bytes + other.bytes);
    }

    Counts withRequests(long all) {
        return new Counts(all, shortCalls, waiting, watches, streams, bytes);
    }
}
