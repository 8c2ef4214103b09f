package io.fairlead.ittests;

import java.util.List;
import java.util.Map;
import java.util.Random;

/** Requests of all kinds of callers, and what a policy has recorded of each. */
final class AuditedRequests {
    /** What begins the ids of all requests. */
    static final String PREFIX = "mixed-";

    static final String POLICY = """
        apiVersion: audit.k8s.io/v1
        kind: Policy
        rules:
        - {level: None, resources: [{resources: [configmaps], resourceNames: [unrecorded]}]}
        - {level: None, nonResourceURLs: [/healthz]}
        - {level: Metadata, verbs: [list, delete], omitStages: [RequestReceived]}
        - {level: Request, nonResourceURLs: ["/api*"]}
        - {level: RequestResponse, verbs: [create, patch]}
        - {level: Metadata}
        """;

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int NAMES = 50;
    private static final int WATCH_ONE_IN = 200;

    private final Random random;
    private int made;

    AuditedRequests(long seed) {
        random = new Random(seed);
    }

    /** What is asked for. */
    enum Shape {
        LIST("GET", "list"),
        GET("GET", "get"),
        CREATE("POST", "create"),
        PATCH("PATCH", "patch"),
        DELETE("DELETE", "delete"),
        FORBIDDEN("GET", "get"),
        DISCOVERY("GET", "get"),
        UNRECORDED("GET", "get"),
        WATCH("GET", "watch");

        private final String method;
        private final String verb;

        Shape(String method, String verb) {
            this.method = method;
            this.verb = verb;
        }
    }

    /** One request. */
    record Sent(String id, AuditedCaller caller, String cluster, Shape shape, String path, String body) {
        String verb() {
            return shape.verb;
        }

        HttpProbe.Answer send() throws Exception {
            Map<String, String> headers = body.isEmpty()
                    ? Map.of("Audit-Id", id)
                    : Map.of(
                            "Audit-Id",
                            id,
                            "Content-Type",
                            shape == Shape.PATCH ? "application/merge-patch+json" : "application/json");
            return caller.probe().send(shape.method, "/clusters/" + cluster + path, headers, body);
        }

        /** The stages that the policy asks for. */
        List<String> stages() {
            if (shape == Shape.UNRECORDED) {
                return List.of();
            }
            if (!caller.isKnown()) {
                return List.of("ResponseStarted");
            }
            return switch (shape) {
                case LIST, DELETE -> List.of("ResponseComplete");
                case WATCH -> List.of("RequestReceived", "ResponseStarted", "ResponseComplete");
                default -> List.of("RequestReceived", "ResponseComplete");
            };
        }

        /** The level of its lines: bodies of ConfigMaps are never recorded. */
        String level() {
            return shape == Shape.DISCOVERY ? "Request" : "Metadata";
        }
    }

    Sent next(List<AuditedCaller> callers) {
        AuditedCaller caller = callers.get(random.nextInt(callers.size()));
        String cluster = caller.clusters().get(random.nextInt(caller.clusters().size()));
        Shape shape = random.nextInt(WATCH_ONE_IN) == 0
                ? Shape.WATCH
                : Shape.values()[random.nextInt(Shape.values().length - 1)];
        String name = "it-" + random.nextInt(NAMES);
        return new Sent(PREFIX + made++, caller, cluster, shape, path(shape, name), body(shape, name));
    }

    private static String path(Shape shape, String name) {
        return switch (shape) {
            case LIST -> MAPS + "?limit=1";
            case CREATE -> MAPS;
            case GET, PATCH, DELETE -> MAPS + "/" + name;
            case FORBIDDEN -> "/api/v1/namespaces/default/secrets/" + name;
            case DISCOVERY -> "/api";
            case UNRECORDED -> MAPS + "/unrecorded";
            case WATCH -> MAPS + "?watch=true&timeoutSeconds=1";
        };
    }

    private static String body(Shape shape, String name) {
        return switch (shape) {
            case CREATE ->
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                        + "\"},\"data\":{\"a\":\"canary\"}}";
            case PATCH -> "{\"data\":{\"b\":\"canary\"}}";
            default -> "";
        };
    }
}
