package io.fairlead.clustersync;

import io.fairlead.schema.json.Json;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An API server of CRDs and APIServices in memory: lists in pages, watches with a history that can be forgotten, and faults
 * that a test switches on. As the real one does, it accepts a watch that begins in the future, and tells nothing of what comes
 * before that. Everything under one lock.
 */
final class FakeApiServer implements AutoCloseable {
    static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    static final String API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

    private record Event(long revision, String path, String type, ObjectNode object) {}

    private record Watcher(String path, long since, ChannelHandlerContext ctx) {
        boolean wants(Event event) {
            return event.path().equals(path) && event.revision() > since;
        }
    }

    private record Document(int code, String body) {}

    /** All that a server stores. */
    record Copy(Map<String, Map<String, ObjectNode>> objects, long revision) {}

    private final FakeHttpServer connections;
    private final Map<String, Map<String, ObjectNode>> objects = new LinkedHashMap<>();
    private final List<Event> history = new ArrayList<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();
    private long revision = 100;
    private long forgottenUpTo;
    private int refuseWith;
    private boolean neverAnswerLists;
    private String unwatched = "";
    private final Map<String, Document> documents = new LinkedHashMap<>();
    private boolean neverAnswer;
    private boolean mute;
    private boolean forgetsAlways;
    private String substituted = "";
    private String substitute = "";
    private String token = "";
    private int reviewCode = 404;
    private UnaryOperator<String> review = _ -> "{}";
    private String versionBody = "{\"gitVersion\":\"v1.36.3\"}";
    private String basePath = "";

    FakeApiServer(String protocol) {
        connections = new FakeHttpServer(protocol, this::answer);
        objects.put(CRDS, new LinkedHashMap<>());
        objects.put(API_SERVICES, new LinkedHashMap<>());
        listen();
    }

    static String caPem() {
        return FakeHttpServer.caPem();
    }

    synchronized URI url() {
        return URI.create("https://127.0.0.1:" + connections.port() + basePath);
    }

    /** Answers from now on below a path alone, which is part of its URL. */
    synchronized void serveBelow(String path) {
        basePath = path;
    }

    /** Binds again after {@link #down()}, to the same port. */
    void listen() {
        connections.listen();
    }

    /** Closes the listener and every connection. */
    void down() {
        connections.down();
        synchronized (this) {
            watchers.clear();
        }
    }

    @Override
    public void close() {
        connections.close();
    }

    /** Stores an object under a name and tells the watchers; the name's uid is kept unless the object brings one. */
    synchronized void put(String path, String name, ObjectNode object) {
        ObjectNode old = of(path).get(name);
        ObjectNode metadata = object.withObject("metadata");
        metadata.put("name", name).put("resourceVersion", Long.toString(++revision));
        if (!metadata.has("uid")) {
            metadata.put(
                    "uid",
                    old == null ? "uid-" + revision : old.at("/metadata/uid").asString());
        }
        of(path).put(name, object);
        tell(new Event(revision, path, old == null ? "ADDED" : "MODIFIED", object.deepCopy()));
    }

    synchronized void delete(String path, String name) {
        ObjectNode gone = Objects.requireNonNull(of(path).remove(name), name);
        gone.withObject("metadata").put("resourceVersion", Long.toString(++revision));
        tell(new Event(revision, path, "DELETED", gone));
    }

    /** Tells the watchers of a path what they may have heard before. */
    synchronized void repeat(String path, String type, ObjectNode object) {
        Event event = new Event(revision, path, type, object.deepCopy());
        watchers.stream()
                .filter(watcher -> watcher.path().equals(path))
                .forEach(watcher -> FakeHttpServer.write(watcher.ctx(), substituted(line(event)), false));
    }

    /** Tells the watchers of a path that they have everything up to a revision. */
    synchronized void bookmark(String path, long at) {
        ObjectNode object = Json.object();
        object.putObject("metadata").put("resourceVersion", Long.toString(at));
        repeat(path, "BOOKMARK", object);
    }

    /** Deletes an object and tells the watchers its last state, with the resourceVersion that it had. */
    synchronized void deleteWithOldVersion(String path, String name) {
        ObjectNode gone = Objects.requireNonNull(of(path).remove(name), name);
        revision++;
        repeat(path, "DELETED", gone);
    }

    /** An object as it is stored now. */
    synchronized ObjectNode get(String path, String name) {
        return Objects.requireNonNull(of(path).get(name), name).deepCopy();
    }

    /** Changes the store without telling anyone, and forgets the history: watchers must list again. */
    synchronized void gap(Runnable change) {
        List<Watcher> before = List.copyOf(watchers);
        watchers.clear();
        change.run();
        forgottenUpTo = revision;
        before.forEach(watcher -> FakeHttpServer.write(watcher.ctx(), gone(), true));
    }

    /** Goes back to an earlier history, as a restored backup does. */
    synchronized void rewind(long to) {
        revision = to;
        history.clear();
        forgottenUpTo = 0;
    }

    /** Watches stand and tell nothing from now on, as behind a proxy that lost its own connection. */
    synchronized void mute(boolean on) {
        mute = on;
    }

    synchronized Copy copy() {
        Map<String, Map<String, ObjectNode>> copies = new LinkedHashMap<>();
        objects.forEach((path, all) -> {
            Map<String, ObjectNode> copy = new LinkedHashMap<>();
            all.forEach((name, object) -> copy.put(name, object.deepCopy()));
            copies.put(path, copy);
        });
        return new Copy(copies, revision);
    }

    /** Has what was stored at another time, or by another server; nothing of how it came about. */
    synchronized void restore(Copy copy) {
        objects.clear();
        copy.objects().forEach((path, all) -> objects.put(path, new LinkedHashMap<>(all)));
        rewind(copy.revision());
        forgottenUpTo = copy.revision();
    }

    /** Time goes by: other objects are written, of which no watch here tells. */
    synchronized void advance(long to) {
        revision = to;
    }

    /** Writes a text instead of a string member of that value, in lists and events. */
    synchronized void substitute(String value, String text) {
        substituted = "\"" + value + "\"";
        substitute = text;
    }

    /** Answers every watch with 410 from now on. */
    synchronized void forgetAlways(boolean on) {
        forgetsAlways = on;
    }

    private String substituted(String text) {
        return substituted.isEmpty() ? text : text.replace(substituted, substitute);
    }

    /** Ends every watch without an error. */
    synchronized void endWatches() {
        watchers.forEach(watcher -> FakeHttpServer.end(watcher.ctx()));
        watchers.clear();
    }

    /** Answers everything with this code from now on; 0 for no more. */
    synchronized void refuseWith(int code) {
        refuseWith = code;
    }

    synchronized void neverAnswerLists(boolean on) {
        neverAnswerLists = on;
    }

    /** Answers watches of a path with 500 from now on. */
    synchronized void refuseWatches(String path) {
        unwatched = path;
    }

    /** Answers a path with this body from now on. */
    synchronized void document(String path, String body) {
        document(path, 200, body);
    }

    /** @param code 0 for no answer */
    synchronized void document(String path, int code, String body) {
        documents.put(path, new Document(code, body));
    }

    /** Answers SelfSubjectReviews of users of a front proxy from now on. */
    synchronized void review(int code, UnaryOperator<String> body) {
        reviewCode = code;
        review = body;
    }

    synchronized void neverAnswer(boolean on) {
        neverAnswer = on;
    }

    synchronized void requireToken(String expected) {
        token = expected;
    }

    synchronized void version(String body) {
        versionBody = body;
    }

    synchronized int watcherCount() {
        return watchers.size();
    }

    synchronized int connectionCount() {
        return connections.count();
    }

    synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    private Map<String, ObjectNode> of(String path) {
        return Objects.requireNonNull(objects.get(path), path);
    }

    private void tell(Event event) {
        history.add(event);
        if (!mute) {
            watchers.stream()
                    .filter(watcher -> watcher.wants(event))
                    .forEach(watcher -> FakeHttpServer.write(watcher.ctx(), substituted(line(event)), false));
        }
    }

    private synchronized void answer(ChannelHandlerContext ctx, HttpRequest request) {
        requests.add(request.method() + " " + request.uri());
        if (neverAnswer) {
            return;
        }
        if (!request.uri().startsWith(basePath + "/")) {
            FakeHttpServer.send(ctx, 404, status(404, "not below " + basePath));
            return;
        }
        QueryStringDecoder query = new QueryStringDecoder(request.uri().substring(basePath.length()));
        if (refuseWith != 0) {
            FakeHttpServer.send(ctx, refuseWith, status(refuseWith, "refused by the test"));
        } else if (!token.isEmpty()
                && !("Bearer " + token).equals(request.headers().get("authorization"))) {
            FakeHttpServer.send(ctx, 401, status(401, "Unauthorized"));
        } else if (query.path().equals("/version")) {
            FakeHttpServer.send(ctx, 200, versionBody);
        } else if (query.path().equals(FrontProxyTrial.PATH)) {
            String user = String.valueOf(request.headers().get("x-remote-user"));
            FakeHttpServer.send(ctx, reviewCode, review.apply(user));
        } else if (documents.containsKey(query.path())) {
            Document document = Objects.requireNonNull(documents.get(query.path()));
            if (document.code() != 0) {
                FakeHttpServer.send(ctx, document.code(), document.body());
            }
        } else if (!objects.containsKey(query.path())) {
            FakeHttpServer.send(ctx, 404, status(404, "not found"));
        } else if (query.parameters().getOrDefault("watch", List.of()).contains("true")) {
            if (query.path().equals(unwatched)) {
                FakeHttpServer.send(ctx, 500, status(500, "refused by the test"));
            } else {
                watch(ctx, query);
            }
        } else if (!neverAnswerLists) {
            list(ctx, query);
        }
    }

    private void list(ChannelHandlerContext ctx, QueryStringDecoder query) {
        List<ObjectNode> all = List.copyOf(of(query.path()).values());
        int from = Integer.parseInt(one(query, "continue", "0"));
        int limit = Integer.parseInt(one(query, "limit", "1000000"));
        int to = Math.min(all.size(), from + limit);
        ObjectNode list = Json.object().put("kind", "List").put("apiVersion", "v1");
        ObjectNode metadata = list.putObject("metadata").put("resourceVersion", Long.toString(revision));
        if (to < all.size()) {
            metadata.put("continue", Integer.toString(to));
        }
        ArrayNode items = list.putArray("items");
        all.subList(from, to).forEach(items::add);
        FakeHttpServer.send(ctx, 200, substituted(Json.text(list)));
    }

    private void watch(ChannelHandlerContext ctx, QueryStringDecoder query) {
        long since = Long.parseLong(one(query, "resourceVersion", "0"));
        FakeHttpServer.begin(ctx);
        if (forgetsAlways || since < forgottenUpTo) {
            FakeHttpServer.write(ctx, gone(), true);
            return;
        }
        Watcher watcher = new Watcher(query.path(), since, ctx);
        watchers.add(watcher);
        ctx.channel().closeFuture().addListener(closed -> forget(watcher));
        history.stream()
                .filter(event -> !mute && watcher.wants(event))
                .forEach(event -> FakeHttpServer.write(ctx, substituted(line(event)), false));
    }

    private synchronized void forget(Watcher watcher) {
        watchers.remove(watcher);
    }

    private static String one(QueryStringDecoder query, String name, String otherwise) {
        return query.parameters().getOrDefault(name, List.of(otherwise)).getFirst();
    }

    private static String gone() {
        return "{\"type\":\"ERROR\",\"object\":" + status(410, "too old resource version") + "}\n";
    }

    private static String line(Event event) {
        ObjectNode object = event.object().deepCopy();
        object.put("apiVersion", event.path().equals(CRDS) ? "apiextensions.k8s.io/v1" : "apiregistration.k8s.io/v1");
        object.put("kind", event.path().equals(CRDS) ? "CustomResourceDefinition" : "APIService");
        return "{\"type\":\"" + event.type() + "\",\"object\":" + Json.text(object) + "}\n";
    }

    private static String status(int code, String message) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"" + message
                + "\",\"code\":" + code + "}";
    }
}
