package io.fairlead.fleet.root;

import io.fairlead.hosted.ApiResponse.Frames;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Reports the names of objects of the root cluster that were added, changed or deleted; and of all existing ones
 * whenever changes may have been missed.
 *
 * <p>Threads: one virtual thread; the callbacks run on it.
 */
public final class RootWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RootWatch.class);
    private static final Duration RETRY_AFTER = Duration.ofMillis(500);

    private final RootApi api;
    private final GroupVersionResource resource;
    private final String namespace;
    private final Consumer<String> changed;
    private final Runnable listed;
    private final Repetitions failures = new Repetitions();
    private final Supervised work;
    private volatile @Nullable Frames frames;

    public RootWatch(RootApi api, GroupVersionResource resource, String namespace, Consumer<String> changed) {
        this(api, resource, namespace, changed, () -> {});
    }

    /**
     * A watch that also reports the end of each list: then any other object may have been deleted.
     *
     * @param listed called after every list
     */
    public RootWatch(
            RootApi api, GroupVersionResource resource, String namespace, Consumer<String> changed, Runnable listed) {
        this.api = api;
        this.resource = resource;
        this.namespace = namespace;
        this.changed = changed;
        this.listed = listed;
        this.work = new Supervised("fleet-watch-" + resource.resource(), Thread.ofVirtual(), this::run, new WorkLog());
    }

    public void start() {
        work.start();
    }

    /** The supervised threads, for readiness. */
    public Supervised work() {
        return work;
    }

    @Override
    public void close() {
        work.close();
        Frames open = frames;
        if (open != null) {
            open.close();
        }
    }

    private void run() throws InterruptedException {
        while (!work.isClosed()) {
            try {
                follow(list());
            } catch (RuntimeException failure) {
                if (work.isClosed()) {
                    return;
                }
                failures.next(failure.getClass())
                        .ifPresent(leftOut -> LOG.atWarn()
                                .addKeyValue("resource", resource.resource())
                                .setCause(failure)
                                .addKeyValue("leftOut", leftOut)
                                .log("Watching the root cluster failed; trying again"));
                work.pause(RETRY_AFTER);
            }
        }
    }

    /** Reports every object and returns the resource version of the list. */
    private String list() {
        JsonNode list = api.list(resource, namespace);
        list.path("items").values().forEach(this::tell);
        listed.run();
        return list.path("metadata").path("resourceVersion").asString("");
    }

    /** Returns when the watch ends, for whatever reason: the next list reports what was missed. */
    private void follow(String resourceVersion) throws InterruptedException {
        try (Frames open = api.watch(resource, namespace, resourceVersion)) {
            frames = open;
            for (byte[] frame = open.next(); frame != null && !work.isClosed(); frame = open.next()) {
                JsonNode event = Json.read(frame);
                switch (event.path("type").asString("")) {
                    case "ADDED", "MODIFIED", "DELETED" -> tell(event.path("object"));
                    case "ERROR" -> {
                        return;
                    }
                    default -> {} // bookmarks
                }
            }
        } finally {
            frames = null;
        }
    }

    private void tell(JsonNode object) {
        changed.accept(object.path("metadata").path("name").asString(""));
    }
}
