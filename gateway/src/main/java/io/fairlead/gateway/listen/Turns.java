package io.fairlead.gateway.listen;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/*
 * A handshake costs the server a thousand times what it costs the client to begin. In order of arrival, a client would
 * wait for everything that a flood began before it.
 */
/**
 * Runs expensive work of clients' connections on their event loop: one piece per address in turn, and between two time
 * slices the loop's other work. Confined to that event loop.
 */
final class Turns {
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final EventLoop loop;

    /** By address, the next one first; without addresses that have no work. */
    private final Map<AddressBlock, Queue<Runnable>> waiting = new LinkedHashMap<>();

    private boolean scheduled;

    Turns(EventLoop loop) {
        this.loop = loop;
    }

    /** Runs this after the work that already waits for the address. */
    void add(AddressBlock address, Runnable work) {
        waiting.computeIfAbsent(address, _ -> new ArrayDeque<>()).add(work);
        schedule();
    }

    private void schedule() {
        if (!scheduled && !waiting.isEmpty()) {
            scheduled = true;
            // A task that is only executed would run before the loop polls its connections again.
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
