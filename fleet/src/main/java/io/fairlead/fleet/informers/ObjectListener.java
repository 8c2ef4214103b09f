package io.fairlead.fleet.informers;

import tools.jackson.databind.JsonNode;

/**
 * Takes what is said of objects that are followed, from one list to the next. A list may come at any time: after an error of
 * a watch, another history of the cluster, or whenever somebody else begins to follow the same objects. One that fails is
 * followed by another {@link #listing} without a {@link #listed}.
 *
 * <p>An object has an identity that Kubernetes can have for one: name, namespace and uid of at most 253 characters each. It
 * is shared with other listeners and must not be changed, and as much as is kept of it must be bounded.
 *
 * <p>A {@link RuntimeException} ends what this listener, and no other, is told until the next list, which comes after a
 * pause: {@link Subscription#state} says so meanwhile.
 *
 * <p>Threads: one of the informer, one call at a time and none after {@link Subscription#close} has returned, but for a
 * {@link #flush} that has begun. But for that method none may call a cluster, nor wait for anything: the subscription's lock
 * and permits of all informers are held.
 */
public interface ObjectListener {
    /** A list begins: what is not seen before it is {@link #listed} is gone. */
    default void listing() {}

    /** An object as it is in a list, or as an event says that it is now. */
    void seen(JsonNode object);

    /** An object was deleted, or has the labels no more; here is its last state. */
    void removed(JsonNode object);

    /**
     * The list is complete.
     *
     * @param resourceVersion of the list
     */
    void listed(String resourceVersion);

    /**
     * The end of each page, list and event. It may call the cluster, and may be running still when its subscription is
     * closed.
     *
     * @param kind of the objects; empty as long as no list has said it
     * @throws InterruptedException when the informer ends
     */
    default void flush(String kind, ClusterCalls calls) throws InterruptedException {}
}
