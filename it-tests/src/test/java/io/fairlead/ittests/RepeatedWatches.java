package io.fairlead.ittests;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Watches of one collection, one in each form, each of which begins again with all objects every few seconds. */
final class RepeatedWatches implements AutoCloseable {
    private static final String PARAMETERS = "?watch=1&allowWatchBookmarks=true&timeoutSeconds=3";

    private final ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Integer> events = new TreeMap<>();
    private volatile boolean closed;

    static RepeatedWatches open(String endpoint, String collection, List<String> forms) {
        RepeatedWatches open = new RepeatedWatches();
        for (String form : forms) {
            open.readers.execute(() -> open.watch(endpoint, collection + PARAMETERS, form));
        }
        return open;
    }

    /** Ends with the watches under way; returns how many events came in each form. */
    Map<String, Integer> finish() {
        close();
        synchronized (events) {
            return new TreeMap<>(events);
        }
    }

    @Override
    public void close() {
        closed = true;
        readers.close();
    }

    private void watch(String endpoint, String path, String form) {
        try (var probe = HttpProbe.withToken(endpoint, AttachedCluster.ROOT_TOKEN)) {
            while (!closed) {
                int seen = events(probe, path, form);
                synchronized (events) {
                    events.merge(form, seen, Integer::sum);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** None while no API server answers. */
    private static int events(HttpProbe probe, String path, String form) throws InterruptedException {
        try {
            String body = probe.get(path, Map.of("Accept", form)).body();
            return body.split("ADDED|MODIFIED|DELETED", -1).length - 1;
        } catch (IOException broken) {
            return 0;
        }
    }
}
