package io.fairlead.ittests;

import io.fairlead.ittests.HttpProbe.Answer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Requests of all kinds to one cluster, from some clients at once, half of them over HTTP/2: the lives of objects of built-in
 * kinds and of custom resources from their creation to their deletion, reads and watches, discovery, and what is not there.
 *
 * <p>Each bears its number in its user agent, behind the name of the program. What is done is decided by a seed; how it
 * interleaves is not.
 */
final class MixedRequests {
    static final String GROUP = "routed.example.com";

    /** Of the types that stand all the time there is one object with this name. */
    static final String KEPT = "kept";

    /** Resources of {@link #GROUP} that are served all the time. */
    static final List<String> STANDING = List.of("anchors", "cables");

    /** Resources of {@link #GROUP} that may be served, or not. */
    static final List<String> PASSING = List.of("floats", "gulls", "hulks");

    private static final int CLIENTS = 8;
    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";
    private static final Pattern REVISION = Pattern.compile("\"resourceVersion\":\"(\\d+)\"");
    private static final String POD_OF_NOTHING = "{\"metadata\":{\"labels\":{\"app\":\"a\"}},\"spec\":{\"containers\":"
            + "[{\"name\":\"a\",\"image\":\"example.com/a\"}]}}";

    private static final List<Type> BUILT_IN = List.of(
            new Type("/api", "v1", "configmaps", "ConfigMap", Expected.BASE, false, "\"data\":{\"a\":\"1\"}"),
            new Type(
                    "/apis",
                    "apps/v1",
                    "deployments",
                    "Deployment",
                    Expected.BASE,
                    true,
                    "\"spec\":{\"replicas\":1,\"selector\":{\"matchLabels\":{\"app\":\"a\"}},\"template\":"
                            + POD_OF_NOTHING + "}"));
    private static final List<Type> STEADY = STANDING.stream()
            .map(plural -> custom(plural, Expected.CRD_RUNTIME))
            .toList();
    private static final List<Type> IN_FLUX =
            PASSING.stream().map(plural -> custom(plural, Expected.EITHER)).toList();

    private static final List<Path> PATHS = List.of(
            new Path("/api", 200),
            new Path("/api/v1", 200),
            new Path("/apis", 200),
            new Path("/apis/" + GROUP, 200),
            new Path("/apis/" + GROUP + "/v1", 200),
            new Path("/openapi/v3", 200),
            new Path("/openapi/v3/apis/apps/v1", 200),
            new Path("/version", 200),
            new Path("/livez", 0),
            new Path("/readyz", 0),
            new Path("/.well-known/openid-configuration", 200),
            new Path("/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=3", 200),
            new Path("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/anchors." + GROUP, 200),
            new Path("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/anchors." + GROUP + "/status", 200),
            new Path("/apis/apiregistration.k8s.io/v1/apiservices", 200),
            new Path("/api/v1/namespaces/default", 200),
            new Path("/api/v1/nodes", 200),
            new Path("/apis/" + GROUP + "/v1/nothings", 404),
            new Path("/apis/" + GROUP + "/v9/anchors", 404),
            new Path("/apis/nothing.example.com/v1/anchors", 404),
            new Path("/api/v1/anchors", 404),
            new Path("/nothing", 404));

    private final String program;
    private final List<HttpProbe> probes;
    private final long seed;
    private final AtomicInteger begun = new AtomicInteger();
    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();

    /** Over two ways to the cluster. */
    MixedRequests(String program, HttpProbe overHttp1, HttpProbe overHttp2, long seed) {
        this.program = program;
        this.probes = List.of(overHttp1, overHttp2);
        this.seed = seed;
    }

    /** Sends at least so many; returns when all are answered. */
    void run(int count) throws Exception {
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> running = IntStream.range(0, CLIENTS)
                    .<Future<?>>mapToObj(client -> clients.submit(() -> {
                        for (int turn = client; begun.get() < count; turn += CLIENTS) {
                            new Turn(turn).take();
                        }
                        return null;
                    }))
                    .toList();
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    /** How many were sent so far. */
    int count() {
        return begun.get();
    }

    /** All that were answered. */
    List<Sent> sent() {
        return List.copyOf(sent);
    }

    /** An object of a type of the group that stands all the time. */
    static String kept(String plural) {
        return custom(plural, Expected.CRD_RUNTIME).object(KEPT, "");
    }

    /** The path of a resource of the group, in the namespace that is used. */
    static String path(String plural) {
        return custom(plural, Expected.EITHER).path();
    }

    /** A definition of a resource of the group, with both subresources. */
    static String definition(String plural) {
        return """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%1$s.%2$s"},
             "spec":{"group":"%2$s","scope":"Namespaced","names":{"plural":"%1$s","kind":"%3$s"},
              "versions":[{"name":"v1","served":true,"storage":true,
               "subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}},
               "schema":{"openAPIV3Schema":{"type":"object","properties":{
                "spec":{"type":"object","properties":{"replicas":{"type":"integer","minimum":0}}},
                "status":{"type":"object","properties":{"replicas":{"type":"integer"}}}}}}}]}}
            """.formatted(plural, GROUP, kind(plural));
    }

    private static Type custom(String plural, Expected expected) {
        return new Type("/apis", GROUP + "/v1", plural, kind(plural), expected, true, "\"spec\":{\"replicas\":1}");
    }

    private static String kind(String plural) {
        return Character.toUpperCase(plural.charAt(0)) + plural.substring(1, plural.length() - 1);
    }

    /** Which API server should be asked. */
    enum Expected {
        /** The one for everything that no CRD serves. */
        BASE,
        /** The one for what CRDs serve. */
        CRD_RUNTIME,
        /** The one that the index names at that moment. */
        EITHER
    }

    /**
     * A request and what came of it.
     *
     * @param what its method and path
     * @param wanted the status that it must have; 0 if any
     * @param status the status that it has; 0 for none
     * @param isDigested whether the answer names the digest of a type: the index knew a CRD that serves it
     * @param failure why there is no answer, or what it says
     */
    record Sent(
            int number, String what, Expected expected, int wanted, int status, boolean isDigested, String failure) {}

    private record Path(String path, int status) {}

    /** A type whose objects are requested; {@code content} is what is in them beside their metadata. */
    private record Type(
            String root,
            String version,
            String plural,
            String kind,
            Expected expected,
            boolean hasSubresources,
            String content) {
        String path() {
            return root + "/" + version + "/namespaces/default/" + plural;
        }

        String pathOfAllNamespaces() {
            return root + "/" + version + "/" + plural;
        }

        String pathOfWatch() {
            return root + "/" + version + "/watch/namespaces/default/" + plural;
        }

        String object(String name, String more) {
            return "{\"apiVersion\":\"" + version + "\",\"kind\":\"" + kind + "\",\"metadata\":{\"name\":\"" + name
                    + "\",\"labels\":{\"life\":\"" + name + "\"}" + more + "}," + content + "}";
        }

        /** The status if the type is always there. */
        int steadily(int status) {
            return expected == Expected.EITHER ? 0 : status;
        }
    }

    /** What one client does without a pause. */
    private final class Turn {
        private final String name;
        private final Random random;
        private final HttpProbe probe;

        Turn(int number) {
            name = "n" + number;
            random = new Random(seed + number);
            probe = probes.get(random.nextInt(probes.size()));
        }

        void take() throws InterruptedException {
            switch (random.nextInt(10)) {
                case 0, 1 -> live(any(BUILT_IN));
                case 2, 3 -> live(any(STEADY));
                case 4, 5 -> live(any(IN_FLUX));
                case 6 -> read(any(BUILT_IN));
                case 7 -> read(any(STEADY));
                case 8 -> read(any(IN_FLUX));
                default -> look();
            }
        }

        /** The life of an object, by every verb. */
        private void live(Type type) throws InterruptedException {
            String one = type.path() + "/" + name;
            String mine = "labelSelector=life%3D" + name;
            String created = send(type, 201, "POST", type.path(), JSON, type.object(name, ""));
            send(type, 200, "GET", type.path() + "?" + mine, "", "");
            send(type, 200, "PUT", one, JSON, type.object(name, revision(created)));
            send(type, 200, "PATCH", one, MERGE, "{\"metadata\":{\"annotations\":{\"a\":\"1\"}}}");
            send(
                    type,
                    200,
                    "PATCH",
                    one,
                    "application/json-patch+json",
                    "[{\"op\":\"add\",\"path\":\"/metadata/annotations/b\",\"value\":\"2\"}]");
            send(
                    type,
                    200,
                    "PATCH",
                    one + "?fieldManager=" + program + "&force=true",
                    "application/apply-patch+yaml",
                    type.object(name, ""));
            if (type.hasSubresources()) {
                useSubresources(type, one);
            }
            if (random.nextInt(4) == 0) {
                send(type, 200, "GET", type.path() + "?watch=1&timeoutSeconds=1&" + mine, "", "");
            }
            if (random.nextBoolean()) {
                send(type, 200, "DELETE", one, "", "");
            } else {
                send(type, 200, "DELETE", type.path() + "?" + mine, "", "");
            }
            send(type, 404, "GET", one, "", "");
        }

        private void useSubresources(Type type, String one) throws InterruptedException {
            String status = send(type, 200, "GET", one + "/status", "", "");
            send(type, 200, "PUT", one + "/status", JSON, type.object(name, revision(status)));
            send(type, 200, "PATCH", one + "/status", MERGE, "{\"status\":{\"replicas\":1}}");
            String scale = send(type, 200, "GET", one + "/scale", "", "");
            send(
                    type,
                    200,
                    "PUT",
                    one + "/scale",
                    JSON,
                    "{\"apiVersion\":\"autoscaling/v1\",\"kind\":\"Scale\",\"metadata\":{\"name\":\"" + name
                            + "\",\"namespace\":\"default\"" + revision(scale) + "},\"spec\":{\"replicas\":2}}");
            send(type, 200, "PATCH", one + "/scale", MERGE, "{\"spec\":{\"replicas\":3}}");
        }

        private void read(Type type) throws InterruptedException {
            String all = type.path();
            if (type.expected() == Expected.CRD_RUNTIME) {
                send(type, 200, "GET", all + "/" + KEPT, "", "");
                send(type, 200, "GET", all + "/" + KEPT + "/status", "", "");
            }
            send(type, 404, "GET", all + "/missing", "", "");
            send(type, 200, "GET", all + "?limit=2", "", "");
            send(type, 200, "GET", all + "?resourceVersion=0", "", "");
            send(type, 200, "GET", type.pathOfAllNamespaces(), "", "");
            send(type, 200, "GET", all, Map.of("Accept", JSON + ";as=Table;v=v1;g=meta.k8s.io"), "");
            send(
                    type,
                    200,
                    "GET",
                    all,
                    Map.of("Accept", JSON + ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"),
                    "");
            String watched = random.nextBoolean() ? all + "?watch=true&" : type.pathOfWatch() + "?";
            send(type, 200, "GET", watched + "resourceVersion=0&timeoutSeconds=1", "", "");
        }

        /** What is no object of a type. */
        private void look() throws InterruptedException {
            for (int i = 0; i < 6; i++) {
                Path path = any(PATHS);
                send(Expected.BASE, path.status(), "GET", path.path(), Map.of(), "");
            }
            send(
                    Expected.BASE,
                    201,
                    "POST",
                    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                    Map.of("Content-Type", JSON),
                    "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SelfSubjectAccessReview\","
                            + "\"spec\":{\"nonResourceAttributes\":{\"path\":\"/\",\"verb\":\"get\"}}}");
        }

        private <T> T any(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }

        private String send(Type type, int steadily, String method, String path, String contentType, String body)
                throws InterruptedException {
            return send(
                    type,
                    steadily,
                    method,
                    path,
                    contentType.isEmpty() ? Map.of() : Map.of("Content-Type", contentType),
                    body);
        }

        private String send(
                Type type, int steadily, String method, String path, Map<String, String> headers, String body)
                throws InterruptedException {
            return send(type.expected(), type.steadily(steadily), method, path, headers, body);
        }

        private String send(
                Expected expected, int wanted, String method, String path, Map<String, String> headers, String body)
                throws InterruptedException {
            int number = begun.incrementAndGet();
            var all = new HashMap<>(headers);
            all.put("User-Agent", program + "-" + number);
            String what = method + " " + path;
            try {
                Answer answer = probe.send(method, path, all, body);
                boolean isDigested = answer.headers().containsKey("fairlead-type-digest");
                String failure = answer.status() < 400 ? "" : answer.body();
                sent.add(new Sent(number, what, expected, wanted, answer.status(), isDigested, failure));
                return answer.body();
            } catch (IOException e) {
                sent.add(new Sent(number, what, expected, wanted, 0, false, e.toString()));
                return "";
            }
        }

        /** The resource version of an object that was answered, as a further member of its metadata. */
        private static String revision(String answered) {
            Matcher found = REVISION.matcher(answered);
            return ",\"resourceVersion\":\"" + (found.find() ? found.group(1) : "1") + "\"";
        }
    }
}
