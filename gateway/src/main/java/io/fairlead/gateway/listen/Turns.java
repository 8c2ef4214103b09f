package io.fairlead.gateway.listen;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/*
 * A handshake costs the server a thousand times what it costs to begin one. Were they done in the order in which they came, a
 * client would wait for all that a flood began before it.
 */
/**
 * Does expensive work of clients' connections on their event loop: one piece for each address in turn, and between two slices of
 * time whatever else the loop has to do. On that event loop.
 */
final class Turns {
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final EventLoop loop;

    /** By address, the one that is next first; without those that have nothing to do. */
    private final Map<AddressBlock, Queue<Runnable>> waiting = new LinkedHashMap<>();

    private boolean scheduled;

    Turns(EventLoop loop) {
        this.loop = loop;
    }

    /** Does this after what waits already for the address, and soon. */
    void add(AddressBlock address, Runnable work) {
        waiting.computeIfAbsent(address, _ -> new ArrayDeque<>()).add(work);
        schedule();
    }

    private void schedule() {
        if (!scheduled && !waiting.isEmpty()) {
            scheduled = true;
            // A task that is only executed would run before the loop looks at its connections again.
            loop.schedule(this::work, 0, TimeUnit.NANOSECONDS);
        }
    }

    private void work() {
        scheduled = false;
        long end = System.nanoTime() + SLICE_NANOS;
        try {
            do {
                next().run();
            } while (!waiting.isEmpty() && System.nanoTime() < end);
        } finally {
            schedule();
        }
    }

    private Runnable next() {
        Iterator<Map.Entry<AddressBlock, Queue<Runnable>>> all =
                waiting.entrySet().iterator();
        Map.Entry<AddressBlock, Queue<Runnable>> first = all.next();
        all.remove();
        Queue<Runnable> queue = first.getValue();
        Runnable work = queue.remove();
        if (!queue.isEmpty()) {
            waiting.put(first.getKey(), queue);
        }
        return work;
    }
}
