package io.fairlead.ittests;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.fairlead.ittests.SeenObject.Event;
import io.fairlead.ittests.SeenObject.EventType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that keeps a copy of a collection: it lists it once, and then only watches, from the last resourceVersion that it has seen,
 * through all ends of the server. It keeps all events, and notes those that do not fit to its copy.
 *
 * <p>Threads: one of its own; any may read.
 */
final class CollectionFollower implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final int LISTED = 200;

    private final StoredKind kind;
    private final String url;
    private final String token;
    private final HttpClient client =
            HttpClient.newBuilder().sslContext(TrustEveryone.context()).build();
    private final Map<String, SeenObject> held = new TreeMap<>();
    private final List<Event> events = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final Thread reader;
    private long last;
    private int resumed;
    private volatile boolean closing;

    private CollectionFollower(StoredKind kind, String url, String token) {
        this.kind = kind;
        this.url = url;
        this.token = token;
        this.reader = Thread.ofVirtual().name("follower of " + url).unstarted(this::follow);
    }

    /** Lists the collection, and follows it from there on. */
    static CollectionFollower start(StoredKind kind, String server, String path, String token)
            throws IOException, InterruptedException {
        var follower = new CollectionFollower(kind, server + path, token);
        var listed = follower.client.send(follower.request(""), HttpResponse.BodyHandlers.ofString());
        if (listed.statusCode() != LISTED) {
            throw new AssertionError("a list of " + path + " was answered " + listed.statusCode());
        }
        Listed list = listOf(kind, listed.body());
        follower.held.putAll(list.objects());
        follower.last = list.revision();
        follower.reader.start();
        return follower;
    }

    /** A list: its revision, and its objects by name. */
    record Listed(long revision, Map<String, SeenObject> objects) {}

    static Listed listOf(StoredKind kind, String body) {
        JsonObject list = JsonParser.parseString(body).getAsJsonObject();
        Map<String, SeenObject> objects = new TreeMap<>();
        for (JsonElement item : list.getAsJsonArray("items")) {
            SeenObject object = SeenObject.of(kind, item.getAsJsonObject());
            if (objects.put(object.name(), object) != null) {
                throw new AssertionError("a list has " + object.name() + " twice");
            }
        }
        return new Listed(
                list.getAsJsonObject("metadata").get("resourceVersion").getAsLong(), objects);
    }

    /** Its copy, by name. */
    synchronized Map<String, SeenObject> held() {
        return new TreeMap<>(held);
    }

    /** All events since it began to follow. */
    synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** What went wrong. */
    synchronized List<String> faults() {
        return List.copyOf(faults);
    }

    /** How often it went on where it was. */
    synchronized int resumed() {
        return resumed;
    }

    @Override
    public void close() {
        closing = true;
        client.shutdownNow();
        reader.interrupt();
    }

    private void follow() {
        while (!closing) {
            try {
                watch();
            } catch (IOException away) {
                // It comes again.
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | AssertionError e) {
                note("failed: " + e);
                return;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private void watch() throws IOException, InterruptedException {
        var response = client.send(
                request("?watch=1&allowWatchBookmarks=true&resourceVersion=" + lastSeen()),
                HttpResponse.BodyHandlers.ofInputStream());
        try (var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            if (response.statusCode() == LISTED) {
                goOn();
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    hear(JsonParser.parseString(line).getAsJsonObject());
                }
            } else if (response.statusCode() / 100 != 5) {
                note("a watch was answered " + response.statusCode() + ": " + lines.readLine());
            }
        }
    }

    private HttpRequest request(String query) {
        return HttpRequest.newBuilder(URI.create(url + query))
                .header("Authorization", "Bearer " + token)
                .build();
    }

    private synchronized long lastSeen() {
        return last;
    }

    private synchronized void goOn() {
        resumed++;
    }

    private synchronized void hear(JsonObject frame) {
        String type = frame.get("type").getAsString();
        JsonObject object = frame.getAsJsonObject("object");
        switch (type) {
            case "ADDED", "MODIFIED", "DELETED" ->
                hear(new Event(EventType.valueOf(type), SeenObject.of(kind, object)));
            case "BOOKMARK" -> {
                long revision = object.getAsJsonObject("metadata")
                        .get("resourceVersion")
                        .getAsLong();
                if (revision < last) {
                    note("a bookmark of " + revision + " after " + last);
                }
                last = revision;
            }
            default -> note("after " + last + ": " + frame);
        }
    }

    private void hear(Event event) {
        SeenObject object = event.object();
        SeenObject before = held.get(object.name());
        boolean fits = (before == null) == (event.type() == EventType.ADDED)
                && (before == null || before.uid().equals(object.uid()));
        if (object.revision() <= last || !fits) {
            note(event + " after " + last + ", when it held " + before);
        }
        last = object.revision();
        events.add(event);
        if (event.type() == EventType.DELETED) {
            held.remove(object.name());
        } else {
            held.put(object.name(), object);
        }
    }

    private synchronized void note(String what) {
        if (!closing) {
            faults.add(what);
        }
    }
}
