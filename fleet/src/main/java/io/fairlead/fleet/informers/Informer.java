package io.fairlead.fleet.informers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.model.ResourceVersion;
import io.fairlead.model.Supervised;
import io.fairlead.schema.json.Json;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Lists the objects of a resource in a cluster, then watches from there, and tells its audience. It lists again only if the
 * cluster no longer has what came since (410), or has another history, or for somebody of the audience who came after the
 * list began, or who failed.
 *
 * <p>Threads: one virtual thread; those methods that the fields say it of are for any.
 */
final class Informer implements AutoCloseable {
    /** How long a watch is asked for. */
    static final Duration WATCH_TIME = Duration.ofMinutes(5);

    private static final int PAGE_OBJECTS = 100;

    /** A page with too many bytes is asked for again with fewer objects, as are those after it. */
    private static final int PAGE_DIVISOR = 5;

    private static final int NAME_CHARS_MAX = 253;
    private static final int CONTINUE_CHARS_MAX = 16 * 1024;
    private static final int LINE_BYTES_AT_ONCE = 128 * 1024;

    /** A tree takes up to thirty times the bytes of its text. */
    private static final int TREE_BYTES_AT_ONCE = 1024 * 1024;

    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(30);
    private static final Finding BEGINS = Finding.unknown("NotListedYet", "its objects are not listed yet");
    private static final Finding OBSERVES = Finding.yes("Observing", "its objects are observed");

    private final WatchedObjects what;
    private final Surroundings surroundings;
    private final Supervised work;

    /** Any thread adds to it and takes from it. */
    private final Audience audience = new Audience();

    /** Any thread reads it. */
    private volatile Finding state = BEGINS;

    /** The present watch, which any thread may close. */
    private volatile ClusterCalls.@Nullable Lines open;

    /** Confined to the thread, as all that follow. */
    private Duration pause = PAUSE_MIN;

    private String kind = "";

    /** The version that the watch goes on from: whatever it said already is not told again. */
    private String from = "";

    /** When all is listed again for those who failed; null if nobody did. The others are told of events meanwhile. */
    private @Nullable Instant againAt;

    /** How long those who fail wait for that. */
    private Duration again = PAUSE_MIN;

    Informer(WatchedObjects what, Surroundings surroundings) {
        this.what = what;
        this.surroundings = surroundings;
        this.work = new Supervised(
                "informer-" + what.cluster() + "-" + what.resource().groupResource(),
                Thread.ofVirtual(),
                this::run,
                new WorkLog());
    }

    WatchedObjects what() {
        return what;
    }

    void start() {
        work.start();
    }

    /** Whether the objects are observed, and why not. */
    Finding state() {
        return state;
    }

    /** Somebody is told of all objects from the next list on, which begins at once. */
    void add(Follower follower) {
        audience.add(follower);
        closeWatch();
    }

    /** Whether nobody is left. */
    boolean remove(Follower follower) {
        return audience.remove(follower);
    }

    @Override
    public void close() {
        work.close();
        closeWatch();
    }

    private void closeWatch() {
        ClusterCalls.Lines lines = open;
        if (lines != null) {
            lines.close();
        }
    }

    private void run() throws InterruptedException {
        while (!work.isClosed()) {
            try {
                Object history = history(); // first: what replaces the cluster from now on is noticed
                follow(list(surroundings.calls(what.cluster())), history);
            } catch (CallFailure failure) {
                await(failure);
            } catch (RuntimeException unexpected) { // what a cluster sends ends no informer
                await(unexpected);
            }
        }
    }

    private Object history() {
        return surroundings.history().apply(what.cluster());
    }

    /** Tells of all objects; the resource version of the list. */
    private String list(ClusterCalls calls) throws CallFailure, InterruptedException {
        againAt = null;
        audience.listing();
        Page page = new Page("", "");
        int objects = PAGE_OBJECTS;
        boolean isComplete = false;
        while (!isComplete) {
            String target = what.path() + "?limit=" + objects + what.labelQuery()
                    + (page.next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(page.next, UTF_8));
            try {
                page = page(calls, target);
                isComplete = page.next.isEmpty();
            } catch (CallFailure failure) {
                if (!failure.isTooLarge() || objects == 1) {
                    throw failure;
                }
                objects = Math.max(1, objects / PAGE_DIVISOR);
            } finally {
                audience.flush(kind, calls); // without a permit: it may call the cluster
            }
        }
        audience.listed(page.resourceVersion);
        audience.flush(kind, calls);
        planAgain();
        return page.resourceVersion;
    }

    /** Reads a page. One that is silent holds up no other before its answer begins. */
    private Page page(ClusterCalls calls, String target) throws CallFailure, InterruptedException {
        Semaphore own = surroundings.limits().list(what.cluster());
        own.acquire();
        try (ClusterCalls.Document document = calls.ask(target)) {
            surroundings.limits().pages().acquire();
            try {
                return read(document.read(), this::see);
            } finally {
                surroundings.limits().pages().release();
            }
        } finally {
            own.release();
        }
    }

    private Page see(JsonNode tree) throws CallFailure {
        String listKind = tree.path("kind").asString("");
        kind = listKind.endsWith("List") ? listKind.substring(0, listKind.length() - 4) : listKind;
        String version = version(tree);
        String next = bounded(tree.at("/metadata/continue").asString(""), CONTINUE_CHARS_MAX, "a continue token");
        for (JsonNode object : tree.path("items").values()) {
            if (isIdentified(object)) {
                version(object);
                audience.seen(object);
            }
        }
        return new Page(version, next);
    }

    /** Returns when the objects must be listed again. */
    private void follow(String listed, Object history) throws InterruptedException {
        from = listed;
        while (!work.isClosed() && !isListDue()) {
            try {
                ClusterCalls calls = surroundings.calls(what.cluster());
                if (!history().equals(history)) {
                    return;
                }
                watch(calls);
                if (!audience.isListWanted()) {
                    work.pause(PAUSE_MIN); // a server may end each watch at once
                }
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

    private boolean isListDue() {
        return audience.isListWanted()
                || (againAt != null && !surroundings.clock().instant().isBefore(againAt));
    }

    /** Tells of what comes after {@link #from}, which follows it, until the watch ends. */
    private void watch(ClusterCalls calls) throws CallFailure, InterruptedException {
        boolean isForAll = againAt == null;
        try (ClusterCalls.Lines lines = calls.watch(what.path() + "?watch=1&allowWatchBookmarks=true&timeoutSeconds="
                + watchTime().toSeconds() + "&resourceVersion=" + URLEncoder.encode(from, UTF_8) + what.labelQuery())) {
            open = lines; // before it looks whether a list is wanted: who wants one closes what is open
            state = OBSERVES;
            pause = PAUSE_MIN;
            while (!work.isClosed() && !isListDue() && isForAll == (againAt == null)) {
                byte[] line = lines.next();
                if (line == null) {
                    break;
                }
                tell(line, calls);
                planAgain();
            }
        } finally {
            open = null;
        }
        if (againAt == null) {
            again = PAUSE_MIN;
        }
    }

    /** A short one while somebody waits for another list. */
    private Duration watchTime() {
        if (againAt == null) {
            return WATCH_TIME;
        }
        Duration left = Duration.between(surroundings.clock().instant(), againAt);
        return left.compareTo(PAUSE_MIN) < 0 ? PAUSE_MIN : left;
    }

    /** Lists again, after a pause, for those who failed. */
    private void planAgain() {
        if (againAt == null && audience.hasFailed()) {
            againAt = surroundings.clock().instant().plus(again);
            again = twice(again);
        }
    }

    /** Large ones are read like pages. */
    private void tell(byte[] line, ClusterCalls calls) throws CallFailure, InterruptedException {
        boolean isLarge = line.length > LINE_BYTES_AT_ONCE;
        if (isLarge) {
            surroundings.limits().pages().acquire();
        }
        try {
            read(line, event -> tell(event.path("type").asString(""), event.path("object")));
        } finally {
            if (isLarge) {
                surroundings.limits().pages().release();
            }
            audience.flush(kind, calls);
        }
    }

    /** Makes a tree; of large ones there is one at a time. */
    private <T> T read(byte[] text, Use<T> use) throws CallFailure, InterruptedException {
        boolean isLarge = text.length > TREE_BYTES_AT_ONCE;
        if (isLarge) {
            surroundings.limits().trees().acquire();
        }
        try {
            return use.of(Json.read(text));
        } finally {
            if (isLarge) {
                surroundings.limits().trees().release();
            }
        }
    }

    /**
     * Takes an event; returns the version that the watch has come to. An older state than those before it is none of the
     * object now: what is told twice, or in the wrong order, would be a change that never was.
     */
    private String tell(String type, JsonNode object) throws CallFailure {
        String version = version(object);
        boolean isOlder = ResourceVersion.isNewer(from, version);
        switch (type) {
            case "ADDED", "MODIFIED" -> {
                if (isOlder) {
                    throw new CallFailure(
                            CallFailure.GONE,
                            "WatchWentBackwards",
                            "its watch has resourceVersion " + version + " after " + from);
                }
                if (isIdentified(object)) {
                    audience.seen(object);
                }
            }
            case "DELETED" -> {
                if (isIdentified(object)) {
                    audience.removed(object);
                }
            }
            case "ERROR" ->
                throw new CallFailure(
                        object.path("code").asInt(0),
                        object.path("reason").asString("WatchFailed"),
                        object.path("message").asString("its watch ended with an error"));
            default -> {} // bookmarks
        }
        if (!isOlder && !version.isEmpty()) {
            from = version;
        }
        return from;
    }

    private void await(RuntimeException unexpected) throws InterruptedException {
        await(new CallFailure(0, "UnexpectedAnswer", String.valueOf(unexpected.getMessage())));
    }

    private void await(CallFailure failure) throws InterruptedException {
        state = Finding.no(failure.reason(), failure.message());
        work.pause(pause);
        pause = twice(pause);
    }

    private static Duration twice(Duration pause) {
        return pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
    }

    /** What has an identity that Kubernetes has for no object is none: it may be kept. */
    private static boolean isIdentified(JsonNode object) {
        return length(object, "namespace") <= NAME_CHARS_MAX
                && length(object, "name") <= NAME_CHARS_MAX
                && length(object, "uid") <= NAME_CHARS_MAX;
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

    /** What becomes of a tree. */
    private interface Use<T> {
        T of(JsonNode tree) throws CallFailure;
    }

    /**
     * What a page says of the list.
     *
     * @param next the token of the next page; empty if there is none
     */
    private record Page(String resourceVersion, String next) {}
}
