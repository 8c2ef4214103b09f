package io.fairlead.ittests;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.fairlead.ittests.DiscoveryNotes.Kind;
import io.fairlead.ittests.DiscoveryNotes.Note;
import io.fairlead.ittests.HttpProbe.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Asks API servers ten times a second what they serve, until it is ended: {@code /apis} as kubectl does, and in turn, each once a
 * second, every group and version that is current there. Writes what fails, what lasts too long, what is answered otherwise than at first, and each change
 * of a group that was not there at first. A process of its own, since it can run in another network.
 */
final class DiscoveryProgram {
    static final int PER_SECOND = 10;

    /** After which a client takes discovery to hang. */
    static final Duration BOUND = Duration.ofSeconds(10);

    private static final Map<String, String> AGGREGATED =
            Map.of("Accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
    private static final Map<String, String> PLAIN = Map.of("Accept", "application/json");

    /** An API server takes no more than 100 over one connection. */
    private static final int AT_ONCE_MAX = 90;

    private static final int VERSIONS_AT_ONCE_MAX = 8;

    private final String target;
    private final HttpProbe probe;
    private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore room = new Semaphore(AT_ONCE_MAX);
    private final Semaphore roomForVersions = new Semaphore(VERSIONS_AT_ONCE_MAX);

    /** Of the groups that were there at first, as {@code /apis} listed them. */
    private final JsonArray before = new JsonArray();

    private final Map<String, JsonElement> groupsBefore = new HashMap<>();

    /** What was answered at first for each of their versions, by path. */
    private final Map<String, String> documents = new ConcurrentHashMap<>();

    /** What was noted last of each other group. */
    private final Map<String, String> states = new TreeMap<>();

    /** What was listed last; mostly the same is listed again. */
    private volatile @Nullable Listed listed;

    private int newest;
    private int answered;
    private long slowestMillis;

    /**
     * An answer of {@code /apis}.
     *
     * @param same the groups that were there at first
     * @param others what each other group is
     * @param paths of all versions that are current
     */
    private record Listed(String body, JsonArray same, Map<String, String> others, List<String> paths) {}

    private DiscoveryProgram(String target, String url, String token) {
        this.target = target;
        this.probe = HttpProbe.overHttp2(url, token);
    }

    /** Takes a token, and for each API server a name and a URL. */
    public static void main(String[] arguments) throws Exception {
        List<DiscoveryProgram> all = new ArrayList<>();
        for (int i = 1; i < arguments.length; i += 2) {
            var program = new DiscoveryProgram(arguments[i], arguments[i + 1], arguments[0]);
            program.begin();
            all.add(program);
        }
        long next = System.nanoTime();
        for (int number = 1; true; number++) {
            for (DiscoveryProgram program : all) {
                program.turn(number);
            }
            next += Duration.ofSeconds(1).toNanos() / PER_SECOND;
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    /** What is there now is there before. */
    private void begin() throws Exception {
        for (JsonElement group : items(require("/apis", probe.get("/apis", AGGREGATED)))) {
            before.add(group);
            groupsBefore.put(name(group), group);
            for (String path : current(group)) {
                documents.put(path, require(path, probe.get(path, PLAIN)));
            }
        }
        note(Kind.BEGUN, System.currentTimeMillis(), "/apis", groupsBefore.size() + " groups");
    }

    private void turn(int number) {
        if (!room.tryAcquire()) {
            note(Kind.FAILED, System.currentTimeMillis(), "/apis", AT_ONCE_MAX + " requests are not answered");
            return;
        }
        senders.execute(() -> {
            try {
                all(number);
            } finally {
                room.release();
            }
        });
        if (number % PER_SECOND == 0) {
            tell();
        }
    }

    private synchronized void tell() {
        note(Kind.POLLED, System.currentTimeMillis(), String.valueOf(answered), String.valueOf(slowestMillis));
    }

    private void all(int number) {
        String list = get("/apis", AGGREGATED);
        if (list.isEmpty()) {
            return;
        }
        Listed now = listed;
        if (now == null || !now.body().equals(list)) {
            now = listed(list);
            listed = now;
        }
        for (String path : now.paths()) {
            if (Math.floorMod(path.hashCode(), PER_SECOND) == number % PER_SECOND) {
                senders.execute(() -> version(path));
            }
        }
        if (!now.same().equals(before)) {
            note(Kind.CHANGED, System.currentTimeMillis(), "/apis", difference(now.same()));
        }
        compare(number, now.others());
    }

    private Listed listed(String body) {
        JsonArray same = new JsonArray();
        Map<String, String> others = new TreeMap<>();
        List<String> paths = new ArrayList<>();
        for (JsonElement group : items(body)) {
            if (groupsBefore.containsKey(name(group))) {
                same.add(group);
            } else {
                others.put(name(group), state(group));
            }
            paths.addAll(current(group));
        }
        return new Listed(body, same, others, paths);
    }

    private void version(String path) {
        roomForVersions.acquireUninterruptibly();
        String document;
        try {
            document = get(path, PLAIN);
        } finally {
            roomForVersions.release();
        }
        String first = documents.get(path);
        if (first != null && !document.isEmpty() && !document.equals(first)) {
            note(Kind.CHANGED, System.currentTimeMillis(), path, document);
        }
    }

    /** Answers may come in another order than they were asked for. */
    private synchronized void compare(int number, Map<String, String> now) {
        answered++;
        if (number < newest) {
            return;
        }
        newest = number;
        states.keySet().removeIf(group -> {
            boolean isGone = !now.containsKey(group);
            if (isGone) {
                note(Kind.STATE, System.currentTimeMillis(), group, DiscoveryNotes.ABSENT);
            }
            return isGone;
        });
        now.forEach((group, state) -> {
            if (!state.equals(states.put(group, state))) {
                note(Kind.STATE, System.currentTimeMillis(), group, state);
            }
        });
    }

    /** The body; empty if it failed. */
    private String get(String path, Map<String, String> headers) {
        long begun = System.currentTimeMillis();
        long begunNanos = System.nanoTime();
        String body = "";
        try {
            Answer answer = probe.get(path, headers);
            if (answer.status() / 100 == 2) {
                body = answer.body();
            } else {
                note(Kind.FAILED, begun, path, answer.status() + " " + answer.body());
            }
        } catch (Exception e) {
            note(Kind.FAILED, begun, path, e.toString());
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begunNanos);
        if (took.compareTo(BOUND) > 0) {
            note(Kind.SLOW, begun, path, took.toString());
        }
        lasted(took);
        return body;
    }

    private synchronized void lasted(Duration took) {
        slowestMillis = Math.max(slowestMillis, took.toMillis());
    }

    private String difference(JsonArray same) {
        if (same.size() != before.size()) {
            return same.size() + " groups of " + before.size();
        }
        for (int i = 0; i < same.size(); i++) {
            if (!same.get(i).equals(before.get(i))) {
                return before.get(i) + " became " + same.get(i);
            }
        }
        return "nothing";
    }

    private void note(Kind kind, long begun, String subject, String what) {
        String line = new Note(kind, begun, System.currentTimeMillis(), target, subject, what).line();
        synchronized (System.out) {
            System.out.println(line);
        }
    }

    private static String require(String path, Answer answer) {
        if (answer.status() / 100 != 2) {
            throw new IllegalStateException(path + ": " + answer);
        }
        return answer.body();
    }

    private static JsonArray items(String list) {
        return JsonParser.parseString(list).getAsJsonObject().getAsJsonArray("items");
    }

    private static String name(JsonElement group) {
        return group.getAsJsonObject().getAsJsonObject("metadata").get("name").getAsString();
    }

    /** The paths of its versions that are not stale. */
    private static List<String> current(JsonElement group) {
        return versions(group).stream()
                .filter(version -> freshness(version).equals(DiscoveryNotes.CURRENT))
                .map(version ->
                        "/apis/" + name(group) + "/" + version.get("version").getAsString())
                .toList();
    }

    /** Of a group with one version. */
    private static String state(JsonElement group) {
        JsonObject version = versions(group).getFirst();
        JsonArray resources = Objects.requireNonNullElseGet(version.getAsJsonArray("resources"), JsonArray::new);
        return resources.isEmpty() && freshness(version).equals(DiscoveryNotes.CURRENT)
                ? DiscoveryNotes.EMPTY
                : freshness(version);
    }

    private static List<JsonObject> versions(JsonElement group) {
        return group.getAsJsonObject().getAsJsonArray("versions").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    private static String freshness(JsonObject version) {
        return version.get("freshness").getAsString();
    }
}
