package io.fairlead.fleet.informers;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/**
 * Who follows the objects of one informer. Those who came before a list began are told of it and of what comes after it; for
 * others another list is wanted.
 *
 * <p>Threads: the informer's; those that say so are for any.
 */
final class Audience {
    private final List<Follower> followers = new CopyOnWriteArrayList<>();

    private volatile boolean isListWanted;

    /** Confined to the thread: who was there when the last list began. */
    private List<Follower> told = List.of();

    /** Any thread. */
    void add(Follower follower) {
        followers.add(follower);
        isListWanted = true;
    }

    /** Whether nobody is left. Any thread. */
    boolean remove(Follower follower) {
        followers.remove(follower);
        return followers.isEmpty();
    }

    /** Whether somebody came who was not told of the last list. */
    boolean isListWanted() {
        return isListWanted;
    }

    /** Whether one of those that were told failed, and waits for another list. */
    boolean hasFailed() {
        return told.stream().anyMatch(Follower::isOutside);
    }

    void listing() {
        isListWanted = false;
        told = List.copyOf(followers);
        told.forEach(Follower::listing);
    }

    void seen(JsonNode object) {
        told.forEach(each -> each.seen(object));
    }

    void removed(JsonNode object) {
        told.forEach(each -> each.removed(object));
    }

    void listed(String resourceVersion) {
        told.forEach(each -> each.listed(resourceVersion));
    }

    void flush(String kind, ClusterCalls calls) throws InterruptedException {
        for (Follower each : told) {
            each.flush(kind, calls);
        }
    }
}
