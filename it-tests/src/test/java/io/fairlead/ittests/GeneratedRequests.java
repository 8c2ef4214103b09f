package io.fairlead.ittests;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.fairlead.ittests.GeneratedKinds.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Random requests of one seed over many kinds. For some requests at a time they are about few kinds and few names, so that they
 * meet: the first ones create objects, the others change them, well and badly.
 */
final class GeneratedRequests {
    private static final int REQUESTS_PER_FOCUS = 30;
    private static final int KINDS_IN_FOCUS = 4;

    /** Their deletions orphan dependents if they say nothing, which needs the garbage collector that the kube-apiserver has not. */
    private static final Set<String> ORPHANING = Set.of("Job", "ReplicationController");

    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";

    private final RandomGenerator random;
    private final GeneratedKinds kinds;
    private final Mutations mutations;
    private final GeneratedReads reads;
    private final Deque<Generated> first = new ArrayDeque<>();
    private final List<Kind> focus = new ArrayList<>();
    private int asked;

    GeneratedRequests(RandomGenerator random, GeneratedKinds kinds) {
        this.random = random;
        this.kinds = kinds;
        this.mutations = new Mutations(random);
        this.reads = new GeneratedReads(random);
    }

    /**
     * A request.
     *
     * @param about the path of the object that it is about, of whose uid and resourceVersion it may speak
     */
    record Generated(TwinClusters.Request request, String about) {}

    /** The next request of an administrator. */
    Generated next() {
        if (asked++ % REQUESTS_PER_FOCUS == 0) {
            refocus();
        }
        if (!first.isEmpty()) {
            return first.remove();
        }
        Kind kind = pick(focus);
        return switch (random.nextInt(40)) {
            case 0, 1, 2, 3, 4, 5, 6 -> create(kind);
            case 7, 8, 9, 10, 11 -> replace(kind);
            case 12, 13, 14 -> jsonPatch(kind);
            case 15, 16, 17 -> patch(kind, MERGE);
            case 18, 19, 20 -> patch(kind, STRATEGIC);
            case 21, 22, 23, 24, 25, 26 -> apply(kind);
            case 27, 28 -> status(kind);
            case 29 -> scale(kind);
            case 30, 31 -> delete(kind);
            case 32 -> deleteCollection(kind);
            case 33 -> badBody(kind);
            case 34 -> about(kind, reads.get(path(kind, name(kind))), name(kind));
            default -> about(kind, reads.list(kind, kind.resource().collection("one")), name(kind));
        };
    }

    /** Chooses other kinds, one of them custom, and has an object of each created. */
    private void refocus() {
        focus.clear();
        focus.add(pick(kinds.custom()));
        while (focus.size() < KINDS_IN_FOCUS) {
            focus.add(pick(kinds.all()));
        }
        first.clear();
        for (Kind kind : focus) {
            String name = kind.names().getFirst();
            JsonObject object = named(pick(kind.samples()), name);
            first.add(about(kind, request("POST", collection(kind) + options(kind, 0), JSON, object), name));
        }
    }

    private Generated create(Kind kind) {
        String name = name(kind);
        JsonObject object = named(changed(kind), name);
        JsonObject metadata = object.get("metadata") instanceof JsonObject given ? given : new JsonObject();
        switch (random.nextInt(25)) {
            case 0 -> metadata.addProperty("name", pick(List.of("Not_A-Name!", "", "a/b", ".", "a".repeat(254), "x.")));
            case 1 -> metadata.remove("name");
            case 2 -> object.addProperty("kind", pick(List.of("Widget", "", "Pod", "ConfigMap", "Status")));
            case 3 ->
                object.addProperty("apiVersion", pick(List.of("v1", "v2", "", "a/b/c", "apps/v1", "example.com/v1")));
            case 4 -> object.remove(pick(List.of("kind", "apiVersion", "metadata")));
            default -> {}
        }
        return about(kind, request("POST", collection(kind) + options(kind, 4), JSON, object), name);
    }

    private Generated replace(Kind kind) {
        String name = name(kind);
        JsonObject object = named(changed(kind), oneIn(25) ? "other" : name);
        int version = random.nextInt(6);
        if (version > 1 && object.get("metadata") instanceof JsonObject metadata) {
            metadata.addProperty("resourceVersion", version == 2 ? pick(List.of("1", "0", "x")) : "@rv");
        }
        return about(kind, request("PUT", path(kind, name) + options(kind, 4), JSON, object), name);
    }

    private Generated patch(Kind kind, String type) {
        String name = name(kind);
        JsonObject object = changed(kind);
        JsonObject patch = oneIn(4) ? object : Mutations.alone(object, mutations.place(pick(kind.samples())));
        if (type.equals(STRATEGIC)) {
            mutations.direct(patch);
        } else if (oneIn(6)) {
            Mutations.Place place = mutations.place(object);
            patch = Mutations.alone(object, place);
            place.set(patch, JsonNull.INSTANCE);
        }
        return about(kind, request("PATCH", path(kind, name) + options(kind, 3), type, patch), name);
    }

    private Generated jsonPatch(Kind kind) {
        String name = name(kind);
        JsonArray patch = new JsonArray();
        for (int i = random.nextInt(6) == 0 ? 2 : 1; i > 0; i--) {
            JsonObject sample = pick(kind.samples());
            Mutations.Place place = mutations.place(sample);
            JsonObject operation = new JsonObject();
            String op = pick(List.of("add", "replace", "replace", "replace", "remove", "test", "move", "copy", "odd"));
            operation.addProperty("op", op);
            operation.addProperty(
                    "path",
                    oneIn(10)
                            ? pick(List.of("", "x", "/none/there", "/metadata/labels/-", "/spec/-1"))
                            : place.pointer());
            if (op.equals("move") || op.equals("copy")) {
                operation.addProperty("from", mutations.place(sample).pointer());
            } else if (!oneIn(12)) {
                operation.add("value", oneIn(3) ? place.in(sample).deepCopy() : mutations.another(place.in(sample)));
            }
            patch.add(operation);
        }
        return about(
                kind,
                request("PATCH", path(kind, name) + options(kind, 3), "application/json-patch+json", patch),
                name);
    }

    private Generated apply(Kind kind) {
        String name = name(kind);
        JsonObject object = oneIn(2) ? pick(kind.samples()).deepCopy() : changed(kind);
        if (oneIn(3)) {
            mutations.place(object).remove(object);
        }
        JsonObject configuration = named(object, oneIn(30) ? "other" : name);
        String options = options(kind, 3) + (oneIn(3) ? "&force=true" : oneIn(30) ? "&force=odd" : "");
        return about(kind, request("PATCH", path(kind, name) + options, APPLY, configuration), name);
    }

    private Generated status(Kind kind) {
        String name = name(kind);
        String path = path(kind, name) + "/status" + options(kind, 1) + dry(kind);
        JsonObject object = oneIn(2) ? pick(kind.samples()).deepCopy() : changed(kind);
        if (!object.has("status")) {
            JsonObject status = new JsonObject();
            status.addProperty("observedGeneration", oneIn(8) ? -1 : 1);
            object.add("status", status);
        }
        return switch (random.nextInt(4)) {
            case 0 -> about(kind, request("PUT", path, JSON, named(object, name)), name);
            case 1 -> about(kind, request("PATCH", path, APPLY, named(object, name)), name);
            case 2 -> about(kind, request("GET", path, JSON, null), name);
            default -> {
                JsonObject patch = new JsonObject();
                patch.add("status", object.get("status"));
                yield about(kind, request("PATCH", path, MERGE, patch), name);
            }
        };
    }

    /**
     * Of a kind with several versions no subresource is written: a write in another version then takes its fields from their
     * manager in kube-apiserver, as if it had removed them.
     */
    private static String dry(Kind kind) {
        return kind.kind().equals("Gauge") ? "&dryRun=All" : "";
    }

    private Generated scale(Kind kind) {
        String name = name(kind);
        String path = path(kind, name) + "/scale" + options(kind, 1) + dry(kind);
        JsonObject spec = new JsonObject();
        spec.add("replicas", oneIn(3) ? mutations.another(new JsonPrimitive(1)) : new JsonPrimitive(random.nextInt(7)));
        JsonObject scale = new JsonObject();
        scale.add("spec", spec);
        return switch (random.nextInt(4)) {
            case 0 -> about(kind, request("GET", path, JSON, null), name);
            case 1 -> {
                JsonObject metadata = new JsonObject();
                metadata.addProperty("name", name);
                if (oneIn(2)) {
                    metadata.addProperty("resourceVersion", "@rv");
                }
                scale.addProperty("apiVersion", "autoscaling/v1");
                scale.addProperty("kind", "Scale");
                scale.add("metadata", metadata);
                yield about(kind, request("PUT", path, JSON, scale), name);
            }
            default -> about(kind, request("PATCH", path, MERGE, scale), name);
        };
    }

    private Generated delete(Kind kind) {
        String name = name(kind);
        String options = pick(List.of(
                "{}",
                "{}",
                "{'gracePeriodSeconds':0}",
                "{'gracePeriodSeconds':-1}",
                "{'preconditions':{'uid':'@uid'}}",
                "{'preconditions':{'uid':'other'}}",
                "{'preconditions':{'resourceVersion':'@rv'}}",
                "{'preconditions':{'resourceVersion':'1'}}",
                "{'propagationPolicy':'Background'}",
                "{'propagationPolicy':'Foreground','dryRun':['All']}",
                "{'propagationPolicy':'Orphan','dryRun':['All']}",
                "{'propagationPolicy':'Odd'}",
                "{'orphanDependents':true,'propagationPolicy':'Orphan'}",
                "{'dryRun':['All']}",
                "{'dryRun':['Some']}",
                "{'dryRun':'All'}",
                "{'kind':'DeleteOptions','apiVersion':'v1'}",
                "{'kind':'Status','apiVersion':'v1'}",
                "{'unknown':1}",
                "[]",
                "{"));
        boolean isOpen = options.equals("{}") || options.startsWith("{'g") || options.startsWith("{'pre");
        String body = isOpen && ORPHANING.contains(kind.kind()) ? "{'propagationPolicy':'Background'}" : options;
        if (!kind.isStored() || (body.startsWith("{'") && oneIn(5))) {
            body = "{'dryRun':['All'],'propagationPolicy':'Background'}";
        }
        String query = oneIn(20) ? "?gracePeriodSeconds=x" : "";
        return about(kind, raw("DELETE", path(kind, name) + query, JSON, body.replace('\'', '"')), name);
    }

    private Generated deleteCollection(Kind kind) {
        String query = pick(List.of(
                "?labelSelector=generated",
                "?labelSelector=p%3Dq",
                "?labelSelector=p+in+(",
                "?fieldSelector=metadata.name%3Dx",
                "?fieldSelector=spec.odd%3Dx",
                "?labelSelector=generated&limit=1",
                "?labelSelector=generated&resourceVersion=@rv&resourceVersionMatch=Exact"));
        String body = !kind.isStored() || oneIn(8)
                ? "{\"dryRun\":[\"All\"]}"
                : oneIn(6) ? "{\"gracePeriodSeconds\":-7,\"unknown\":1}" : "{\"propagationPolicy\":\"Background\"}";
        return about(kind, raw("DELETE", collection(kind) + query, JSON, body), name(kind));
    }

    private Generated badBody(Kind kind) {
        String name = name(kind);
        String valid = text(named(pick(kind.samples()).deepCopy(), name));
        String body = mutations.unreadable(valid);
        boolean endsBadly = body.endsWith("x");
        String type = endsBadly ? JSON : pick(List.of(JSON, "application/yaml", "text/plain", "application/xml"));
        String options = options(kind, 2);
        return oneIn(3)
                ? about(
                        kind,
                        raw(
                                "PATCH",
                                path(kind, name) + options,
                                endsBadly
                                        ? MERGE
                                        : pick(List.of(MERGE, STRATEGIC, APPLY, "application/json-patch+json", JSON)),
                                body),
                        name)
                : about(kind, raw("POST", collection(kind) + options, type, body), name);
    }

    /** A sample, most often with a change, sometimes with two. */
    private JsonObject changed(Kind kind) {
        JsonObject sample = pick(kind.samples());
        return switch (random.nextInt(5)) {
            case 0 -> sample.deepCopy();
            case 1 -> mutations.of(mutations.of(sample));
            default -> mutations.of(sample);
        };
    }

    /** With a name, and with the label that all have. */
    private static JsonObject named(JsonObject object, String name) {
        JsonObject named = object.deepCopy();
        if (named.get("metadata") instanceof JsonObject metadata) {
            if (!metadata.has("name") || metadata.get("name").toString().startsWith("\"")) {
                metadata.addProperty("name", name);
            }
            if (!metadata.has("labels")) {
                metadata.add("labels", new JsonObject());
            }
            if (metadata.get("labels") instanceof JsonObject labels) {
                labels.addProperty("generated", "yes");
            }
        }
        return named;
    }

    /** Options of a write, of which so many in ten are unusual. */
    private String options(Kind kind, int unusual) {
        StringBuilder options = new StringBuilder("?fieldManager=" + pick(List.of("ann", "ben", "ben")));
        if (!kind.isStored()) {
            options.append("&dryRun=All");
        }
        if (random.nextInt(10) < unusual) {
            options.append(pick(List.of(
                    "&fieldValidation=Strict",
                    "&fieldValidation=Strict",
                    "&fieldValidation=Ignore",
                    "&fieldValidation=Ignore",
                    "&fieldValidation=Warn",
                    "&fieldValidation=Odd",
                    "&dryRun=All",
                    "&dryRun=All",
                    "&dryRun=Some",
                    "&force=true",
                    "&pretty=true",
                    "&foo=bar",
                    "&timeout=1m",
                    "&timeout=x")));
        }
        return options.toString();
    }

    private static String collection(Kind kind) {
        return kind.resource().collection("one");
    }

    private static String path(Kind kind, String name) {
        return collection(kind) + "/" + name;
    }

    private String name(Kind kind) {
        return kind.names().get(random.nextInt(4) == 0 ? kind.names().size() - 1 : 0);
    }

    private static Generated about(Kind kind, TwinClusters.Request request, String name) {
        return new Generated(request, path(kind, name));
    }

    private static TwinClusters.Request request(String method, String target, String type, @Nullable JsonElement body) {
        return raw(method, target, type, body == null ? "" : text(body));
    }

    private static TwinClusters.Request raw(String method, String target, String type, String body) {
        return new TwinClusters.Request(TwinClusters.ADMIN, method, target, type, body);
    }

    private static String text(JsonElement body) {
        return new GsonBuilder().serializeNulls().disableHtmlEscaping().create().toJson(body);
    }

    private boolean oneIn(int of) {
        return random.nextInt(of) == 0;
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
