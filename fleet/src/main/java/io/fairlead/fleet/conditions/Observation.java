package io.fairlead.fleet.conditions;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.index.conditions.ConditionClaim;
import io.fairlead.index.conditions.ConditionStore;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import io.fairlead.model.ResourceVersion;
import io.fairlead.model.Supervised;
import io.fairlead.schema.json.Json;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Observes the objects of one record in one cluster: lists them, then watches from there. It lists again only if the
 * cluster no longer has what came since (410), or has another history.
 *
 * <p>Threads: one virtual thread; {@link #state} is for any.
 */
final class Observation implements AutoCloseable {
    /** How long a watch is asked for. */
    static final Duration WATCH_TIME = Duration.ofMinutes(5);

    private static final int PAGE_OBJECTS = 100;
    private static final int NAME_CHARS_MAX = 253;
    private static final int CONTINUE_CHARS_MAX = 16 * 1024;
    private static final int LINE_BYTES_AT_ONCE = 128 * 1024;

    /** A tree takes up to thirty times the bytes of its text. */
    private static final int TREE_BYTES_AT_ONCE = 1024 * 1024;

    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(30);
    private static final Finding BEGINS = Finding.unknown("NotListedYet", "its objects are not listed yet");
    private static final Finding OBSERVES = Finding.yes("Observing", "its objects are observed");

    private final ClusterName cluster;
    private final RecordSpec spec;
    private final ConditionStore store;
    private final Surroundings surroundings;
    private final Sink sink;
    private final Supervised work;

    private volatile Finding state = BEGINS;
    private volatile ClusterCalls.@Nullable Lines open;

    private final Object ending = new Object();

    /** Confined to the thread. */
    private Duration pause = PAUSE_MIN;

    private String kind = "";

    /** The version that the watch goes on from: whatever it said already is not observed again. */
    private String from = "";

    /**
     * What observations share.
     *
     * @param lookup the registration of a cluster
     * @param epoch counts a cluster's histories
     * @param limits of what clusters answer
     */
    record Surroundings(
            Function<ClusterName, ClusterEntry> lookup,
            ToLongFunction<ClusterName> epoch,
            AnswerLimits limits,
            InstantSource clock) {}

    /** Takes the rows that were added. */
    @FunctionalInterface
    interface Sink {
        /**
         * Rows were added.
         *
         * @param kind of the objects
         */
        void added(List<ConditionStore.Added> rows, String kind, ClusterCalls calls) throws InterruptedException;
    }

    Observation(ClusterName cluster, RecordSpec spec, ConditionStore store, Surroundings surroundings, Sink sink) {
        this.cluster = cluster;
        this.spec = spec;
        this.store = store;
        this.surroundings = surroundings;
        this.sink = sink;
        this.work = new Supervised(
                "conditions-" + spec.name() + "-" + cluster, Thread.ofVirtual(), this::run, new WorkLog());
    }

    void start() {
        work.start();
    }

    /** Whether the objects are observed, and why not. */
    Finding state() {
        return state;
    }

    @Override
    public void close() {
        synchronized (ending) {
            work.close();
        }
        ClusterCalls.Lines lines = open;
        if (lines != null) {
            lines.close();
        }
    }

    private void run() throws InterruptedException {
        while (!work.isClosed()) {
            try {
                ClusterCalls calls = calls();
                long epoch = surroundings.epoch().applyAsLong(cluster);
                follow(list(calls), epoch);
            } catch (CallFailure failure) {
                await(failure);
            } catch (RuntimeException unexpected) { // what a cluster sends ends no observation
                await(unexpected);
            }
        }
    }

    /** As it is now: a watch goes on where a cluster moved. */
    private boolean holdsWrites() {
        return surroundings.lookup().apply(cluster) instanceof ClusterEntry.Attached now && now.holdsWrites();
    }

    private ClusterCalls calls() throws CallFailure {
        return switch (surroundings.lookup().apply(cluster)) {
            case ClusterEntry.Hosted hosted -> new HostedCalls(hosted.cluster());
            case ClusterEntry.Attached attached ->
                new AttachedCalls(attached, surroundings.limits(), this::holdsWrites);
            case ClusterEntry.Unready unready -> throw new CallFailure(0, unready.cause(), "it is not served now");
            case ClusterEntry.Opening _ -> throw new CallFailure(0, "Opening", "it is being opened");
            case ClusterEntry.NotRegistered _ -> throw new CallFailure(0, "NotRegistered", "it is not registered");
        };
    }

    /** Observes all objects; the resource version of the list. */
    private String list(ClusterCalls calls) throws CallFailure, InterruptedException {
        Present present = new Present();
        do {
            String target = spec.path() + "?limit=" + PAGE_OBJECTS + spec.labelQuery()
                    + (present.next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(present.next, UTF_8));
            List<ConditionStore.Added> rows = new ArrayList<>();
            try {
                page(calls, target, page -> see(page, present, rows));
            } finally {
                sink.added(rows, kind, calls); // without a permit: it may call the cluster
            }
        } while (!present.next.isEmpty());
        Instant now = surroundings.clock().instant();
        sink.added(unlessClosed(() -> store.listed(cluster, present.keys, present.resourceVersion, now)), kind, calls);
        return present.resourceVersion;
    }

    /** Reads a page. One that is silent holds up no other before its answer begins. */
    private void page(ClusterCalls calls, String target, Use use) throws CallFailure, InterruptedException {
        Semaphore own = surroundings.limits().list(cluster);
        own.acquire();
        try (ClusterCalls.Document document = calls.ask(target)) {
            surroundings.limits().pages().acquire();
            try {
                read(document.read(), use);
            } finally {
                surroundings.limits().pages().release();
            }
        } finally {
            own.release();
        }
    }

    private void see(JsonNode page, Present present, List<ConditionStore.Added> rows) throws CallFailure {
        String listKind = page.path("kind").asString("");
        kind = listKind.endsWith("List") ? listKind.substring(0, listKind.length() - 4) : listKind;
        present.resourceVersion = version(page);
        present.next = bounded(page.at("/metadata/continue").asString(""), CONTINUE_CHARS_MAX, "a continue token");
        for (JsonNode object : page.path("items").values()) {
            see(object, rows);
            present.keys.add(key(object));
        }
        present.sweep();
    }

    /** Returns when the objects must be listed again. */
    private void follow(String listed, long epoch) throws InterruptedException {
        from = listed;
        while (!work.isClosed()) {
            try {
                ClusterCalls calls = calls();
                if (surroundings.epoch().applyAsLong(cluster) != epoch) {
                    return;
                }
                watch(calls);
                work.pause(PAUSE_MIN); // a server may end each watch at once
            } catch (CallFailure failure) {
                if (failure.isGone()) {
                    work.pause(PAUSE_MIN);
                    return;
                }
                await(failure);
            } catch (RuntimeException unexpected) {
                await(unexpected);
            }
        }
    }

    /** Observes what comes after {@link #from}, which follows it, until the watch ends. */
    private void watch(ClusterCalls calls) throws CallFailure, InterruptedException {
        try (ClusterCalls.Lines lines = calls.watch(spec.path() + "?watch=1&allowWatchBookmarks=true&timeoutSeconds="
                + WATCH_TIME.toSeconds() + "&resourceVersion=" + URLEncoder.encode(from, UTF_8) + spec.labelQuery())) {
            open = lines;
            state = OBSERVES;
            pause = PAUSE_MIN;
            for (byte[] line = lines.next(); line != null && !work.isClosed(); line = lines.next()) {
                observe(line, calls);
            }
        } finally {
            open = null;
        }
    }

    /** Large ones are read like pages. */
    private void observe(byte[] line, ClusterCalls calls) throws CallFailure, InterruptedException {
        List<ConditionStore.Added> rows = new ArrayList<>();
        boolean isLarge = line.length > LINE_BYTES_AT_ONCE;
        if (isLarge) {
            surroundings.limits().pages().acquire();
        }
        try {
            read(line, event -> observe(event.path("type").asString(""), event.path("object"), rows));
        } finally {
            if (isLarge) {
                surroundings.limits().pages().release();
            }
            sink.added(rows, kind, calls);
        }
    }

    /** Makes a tree; of large ones there is one at a time. */
    private void read(byte[] text, Use use) throws CallFailure, InterruptedException {
        boolean isLarge = text.length > TREE_BYTES_AT_ONCE;
        if (isLarge) {
            surroundings.limits().trees().acquire();
        }
        try {
            use.accept(Json.read(text));
        } finally {
            if (isLarge) {
                surroundings.limits().trees().release();
            }
        }
    }

    /**
     * Takes an event. An older state than those before it is none of the object now: what is observed twice, or in the
     * wrong order, would be a transition that never was.
     */
    private void observe(String type, JsonNode object, List<ConditionStore.Added> rows) throws CallFailure {
        boolean isOlder = ResourceVersion.isNewer(from, version(object));
        switch (type) {
            case "ADDED", "MODIFIED" -> {
                if (isOlder) {
                    throw new CallFailure(
                            CallFailure.GONE,
                            "WatchWentBackwards",
                            "its watch has resourceVersion " + version(object) + " after " + from);
                }
                see(object, rows);
            }
            case "DELETED" -> {
                ObjectKey key = key(object);
                String version = version(object);
                rows.addAll(unlessClosed(
                        () -> store.removed(key, version, surroundings.clock().instant())));
            }
            case "ERROR" ->
                throw new CallFailure(
                        object.path("code").asInt(0),
                        object.path("reason").asString("WatchFailed"),
                        object.path("message").asString("its watch ended with an error"));
            default -> {} // bookmarks
        }
        if (!isOlder && !version(object).isEmpty()) {
            from = version(object);
        }
    }

    /** What has an identity that Kubernetes has for no object is none: it is kept with each of its rows. */
    private void see(JsonNode object, List<ConditionStore.Added> rows) throws CallFailure {
        if (length(object, "namespace") > NAME_CHARS_MAX
                || length(object, "name") > NAME_CHARS_MAX
                || length(object, "uid") > NAME_CHARS_MAX) {
            return;
        }
        String uid = object.at("/metadata/uid").asString("");
        Map<String, ConditionClaim> claims = ConditionReader.claims(object, spec.conditions());
        String version = version(object);
        rows.addAll(unlessClosed(() -> store.seen(
                key(object), uid, claims, version, surroundings.clock().instant())));
    }

    /** Once it has ended, what the store has of the cluster is forgotten. */
    private List<ConditionStore.Added> unlessClosed(Supplier<List<ConditionStore.Added>> rows) {
        synchronized (ending) {
            return work.isClosed() ? List.of() : rows.get();
        }
    }

    private void await(RuntimeException unexpected) throws InterruptedException {
        await(new CallFailure(0, "UnexpectedAnswer", String.valueOf(unexpected.getMessage())));
    }

    private void await(CallFailure failure) throws InterruptedException {
        state = Finding.no(failure.reason(), failure.message());
        work.pause(pause);
        pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
    }

    private ObjectKey key(JsonNode object) {
        return new ObjectKey(
                cluster,
                object.at("/metadata/namespace").asString(""),
                object.at("/metadata/name").asString(""));
    }

    private static int length(JsonNode object, String member) {
        return object.path("metadata").path(member).asString("").length();
    }

    private static String version(JsonNode object) throws CallFailure {
        return bounded(object.at("/metadata/resourceVersion").asString(""), NAME_CHARS_MAX, "a resourceVersion");
    }

    /** It is kept, and sent in requests. */
    private static String bounded(String text, int charsMax, String what) throws CallFailure {
        if (text.length() > charsMax) {
            throw new CallFailure(0, "UnexpectedAnswer", what + " has more than " + charsMax + " characters");
        }
        return text;
    }

    /** What is done with a tree. */
    private interface Use {
        void accept(JsonNode tree) throws CallFailure, InterruptedException;
    }

    /** What the pages of a list have so far. */
    private final class Present {
        private final Set<ObjectKey> keys = new HashSet<>();
        private String resourceVersion = "";
        private String next = "";
        private int sweptAt = PAGE_OBJECTS;

        /** Keeps no more than the store bounds. */
        void sweep() {
            if (keys.size() > 2 * sweptAt) {
                keys.removeIf(key -> store.of(key).isEmpty());
                sweptAt = Math.max(keys.size(), PAGE_OBJECTS);
            }
        }
    }
}
