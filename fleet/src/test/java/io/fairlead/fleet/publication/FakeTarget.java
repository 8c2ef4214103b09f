package io.fairlead.fleet.publication;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects of a target, with what an API server does to them: uids, resource versions, addresses of Services, and
 * availability as the aggregation layer sees it. Before each call and behind it a test may have something happen.
 */
final class FakeTarget implements ClusterCalls {
    static final String SERVICE = "/api/v1/namespaces/apis/services/gateway";
    static final String SLICE = "/apis/discovery.k8s.io/v1/namespaces/apis/endpointslices/gateway-fairlead";
    static final String API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

    final Map<String, ObjectNode> objects = new TreeMap<>();

    /** The calls that changed something, in their order ({@code POST path}). */
    final List<String> changes = new ArrayList<>();

    /** APIServices that were stored, or changed, while their backend was not there. */
    final Set<String> withoutBackend = new HashSet<>();

    /** Those that were stored, or changed, although the backend was not seen to be there since the APIService was read. */
    final Set<String> withoutLook = new HashSet<>();

    /** What was read, and was there, since an APIService was read last. */
    private final Set<String> seen = new HashSet<>();

    /** May fail a call, before or behind what it does. */
    Interference interference = (call, isDone) -> {};

    /** What a read of a path says in place of what is there. */
    Map<String, ObjectNode> stale = Map.of();

    String minor = "36";
    private long versions;

    /** The changes that were tried ({@code POST path}). */
    final List<String> dryRuns = new ArrayList<>();

    private static final String DRY_RUN = "?dryRun=All";

    /** Whatever may come between. */
    @FunctionalInterface
    interface Interference {
        void at(String call, boolean isDone) throws CallFailure;
    }

    @Override
    public Document ask(String target) throws CallFailure {
        interference.at("GET " + target, false);
        byte[] answer = Json.write(answer(target));
        return new Document() {
            @Override
            public byte[] read() {
                return answer;
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
    }

    @Override
    public byte[] read(String target, int bytesMax) throws CallFailure {
        interference.at("GET " + target, false);
        return Json.write(answer(target));
    }

    private ObjectNode answer(String target) throws CallFailure {
        if (target.equals("/version")) {
            return Json.object().put("major", "1").put("minor", minor);
        }
        int mark = target.indexOf('?');
        if (mark >= 0) {
            ObjectNode list = Json.object();
            String value = target.substring(target.lastIndexOf("%3D") + 3);
            String label = target.substring(target.indexOf('=') + 1, target.lastIndexOf("%3D"))
                    .replace("%2F", "/");
            var items = list.putArray("items");
            objects.forEach((path, object) -> {
                if (path.startsWith(API_SERVICES)
                        && object.path("metadata")
                                .path("labels")
                                .path(label)
                                .asString("")
                                .equals(value)) {
                    items.add(object);
                }
            });
            return list;
        }
        ObjectNode found = Optional.ofNullable(stale.get(target)).orElse(objects.get(target));
        if (target.startsWith(API_SERVICES + "/")) {
            seen.clear();
        } else if (found != null) {
            seen.add(target);
        }
        if (found == null) {
            throw new CallFailure(404, "NotFound", target + " not found");
        }
        return found;
    }

    @Override
    public void post(String sent, ObjectNode object) throws CallFailure {
        boolean isDryRun = sent.endsWith(DRY_RUN);
        String target = sent.replace(DRY_RUN, "");
        interference.at("POST " + target, false);
        String path = target + "/" + object.at("/metadata/name").asString("");
        if (objects.containsKey(path)) {
            throw new CallFailure(409, "AlreadyExists", path);
        }
        if (isDryRun) {
            dryRuns.add("POST " + path);
            return;
        }
        store(path, object.deepCopy(), "uid-" + ++versions);
        changes.add("POST " + path);
        interference.at("POST " + target, true);
    }

    @Override
    public void replace(String sent, ObjectNode object) throws CallFailure {
        boolean isDryRun = sent.endsWith(DRY_RUN);
        String target = sent.replace(DRY_RUN, "");
        interference.at("PUT " + target, false);
        ObjectNode before = objects.get(target);
        if (before == null) {
            throw new CallFailure(404, "NotFound", target);
        }
        if (!before.at("/metadata/resourceVersion").equals(object.at("/metadata/resourceVersion"))) {
            throw new CallFailure(409, "Conflict", target);
        }
        if (isDryRun) {
            dryRuns.add("PUT " + target);
            return;
        }
        store(target, object.deepCopy(), before.at("/metadata/uid").asString(""));
        changes.add("PUT " + target);
        interference.at("PUT " + target, true);
    }

    @Override
    public void delete(String sent, ObjectNode options) throws CallFailure {
        String target = sent.replace(DRY_RUN, ""); // An API server reads the body alone.
        boolean isDryRun = options.path("dryRun").values().stream()
                .anyMatch(stage -> stage.asString("").equals("All"));
        interference.at("DELETE " + target, false);
        ObjectNode before = objects.get(target);
        if (before == null) {
            throw new CallFailure(404, "NotFound", target);
        }
        if (!before.at("/metadata/uid").equals(options.at("/preconditions/uid"))) {
            throw new CallFailure(409, "Conflict", target);
        }
        if (isDryRun) {
            dryRuns.add("DELETE " + target);
            return;
        }
        objects.remove(target);
        changes.add("DELETE " + target);
        interference.at("DELETE " + target, true);
    }

    @Override
    public ObjectNode review(ObjectNode subjectAccessReview) {
        throw new UnsupportedOperationException("no review is asked for");
    }

    @Override
    public Lines watch(String target) {
        throw new UnsupportedOperationException("nothing is watched");
    }

    /** An object of others. */
    void put(String path, Consumer<ObjectNode> fields) {
        ObjectNode object = Json.object();
        object.putObject("metadata").put("name", path.substring(path.lastIndexOf('/') + 1));
        fields.accept(object);
        store(path, object, "uid-" + ++versions);
    }

    /** The object of a path, which is there. */
    ObjectNode at(String path) {
        return Objects.requireNonNull(objects.get(path), path);
    }

    void remove(String path) {
        objects.remove(path);
    }

    boolean has(String path) {
        return objects.containsKey(path);
    }

    private void store(String path, ObjectNode object, String uid) {
        ((ObjectNode) object.path("metadata")).put("uid", uid).put("resourceVersion", String.valueOf(++versions));
        if (path.contains("/services/")
                && object.at("/spec/clusterIP").asString("").isEmpty()) {
            object.withObjectProperty("spec").put("clusterIP", "10.0.0." + versions % 250);
        }
        objects.put(path, object);
        if (path.startsWith(API_SERVICES)) {
            if (!(has(SERVICE) && has(SLICE))) {
                withoutBackend.add(path);
            }
            if (!seen.containsAll(Set.of(SERVICE, SLICE))) {
                withoutLook.add(path);
            }
        }
    }

    /** The aggregation layer looks at all APIServices. */
    void aggregate() {
        boolean isReady = has(SERVICE) && has(SLICE);
        objects.forEach((path, object) -> {
            if (path.startsWith(API_SERVICES) && object.has("spec")) {
                ObjectNode condition = object.withObjectProperty("status")
                        .putArray("conditions")
                        .addObject();
                condition
                        .put("type", "Available")
                        .put("status", isReady ? "True" : "False")
                        .put("reason", isReady ? "Passed" : "ServiceNotFound")
                        .put("message", isReady ? "all checks passed" : "service/gateway in \"apis\" is not present");
            }
        });
    }
}
