package io.fairlead.hosted;

import tools.jackson.databind.node.ObjectNode;

/**
 * The bytes of one list in parts, so that the whole list never stands in memory: the beginning, each item, and the end,
 * to be put together in this order.
 *
 * <p>Items may be encoded before the beginning is, and again if the first encoding was discarded. Threads: one request,
 * one thread at a time.
 */
public interface ListBody {
    /** Whether the beginning says how long the items are together, as in protobuf, whose lists stand in an envelope. */
    boolean sizesFirst();

    /**
     * What comes before the items.
     *
     * @param list the list's {@code apiVersion}, {@code kind} and {@code metadata}, without items
     * @param itemBytes the length of all that {@link #item} makes; undefined unless {@link #sizesFirst}
     */
    byte[] begin(ObjectNode list, long itemBytes);

    /**
     * The next item.
     *
     * @param first whether it comes right after the beginning
     */
    byte[] item(ObjectNode object, boolean first);

    /** What comes after the items. */
    byte[] end();
}
