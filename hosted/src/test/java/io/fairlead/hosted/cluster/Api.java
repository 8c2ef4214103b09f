package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A client of a hosted cluster that speaks HTTP's words without HTTP. */
final class Api {
    private static final UserInfo ADMIN = UserInfo.of("admin", List.of(UserInfo.MASTERS));

    private final HostedCluster cluster;
    private final UserInfo user;

    Api(HostedCluster cluster) {
        this(cluster, ADMIN);
    }

    private Api(HostedCluster cluster, UserInfo user) {
        this.cluster = cluster;
        this.user = user;
    }

    /** The same cluster as another user sees it, whose requests are taken for authorised. */
    Api as(UserInfo other) {
        return new Api(cluster, other);
    }

    /** An answer, read. */
    record Answer(int code, ObjectNode body, Map<String, List<String>> headers) {
        String message() {
            return body.path("message").asString("");
        }

        String reason() {
            return body.path("reason").asString("");
        }

        String at(String pointer) {
            return body.at(pointer).asString("");
        }

        String resourceVersion() {
            return at("/metadata/resourceVersion");
        }

        Answer expect(int expected) {
            if (code != expected) {
                throw new AssertionError("expected " + expected + " but got " + code + ": " + body);
            }
            return this;
        }
    }

    Answer get(String path) {
        return send("GET", path, "", new byte[0]);
    }

    /** The answer in the form that an {@code Accept} header asks for, which must be JSON. */
    Answer get(String path, String accept) {
        return answer(request(user, "GET", path, "", accept, new byte[0]));
    }

    Answer create(String path, String yaml) {
        return send("POST", path, "application/yaml", bytes(yaml));
    }

    Answer createJson(String path, String json) {
        return send("POST", path, "application/json", bytes(json));
    }

    Answer replace(String path, JsonNode object) {
        return send("PUT", path, "application/json", Json.write(object));
    }

    Answer replace(String path, String yaml) {
        return replace(path, Yaml.read(bytes(yaml)));
    }

    Answer merge(String path, String json) {
        return send("PATCH", path, "application/merge-patch+json", bytes(json));
    }

    Answer patch(String path, String json) {
        return send("PATCH", path, "application/json-patch+json", bytes(json));
    }

    Answer delete(String path) {
        return send("DELETE", path, "", new byte[0]);
    }

    Answer delete(String path, String options) {
        return send("DELETE", path, "application/json", bytes(options));
    }

    Answer send(String method, String path, String contentType, byte[] body) {
        return answer(request(user, method, path, contentType, "", body));
    }

    private Answer answer(ApiRequest request) {
        return switch (Routing.serve(cluster, request)) {
            case ApiResponse.Whole whole ->
                new Answer(
                        whole.status(),
                        whole.body().length == 0 ? Json.object() : (ObjectNode) Json.read(whole.body()),
                        whole.headers());
            case ApiResponse.Pieces pieces ->
                new Answer(pieces.status(), (ObjectNode) Json.read(join(pieces)), pieces.headers());
            case ApiResponse.Stream stream -> throw new AssertionError("a stream: " + stream);
        };
    }

    /** Opens a watch; the path names the collection and its parameters beside {@code watch=1}. */
    Events watch(String path) {
        String sign = path.contains("?") ? "&" : "?";
        return switch (Routing.serve(cluster, request("GET", path + sign + "watch=1", "", "", new byte[0]))) {
            case ApiResponse.Stream stream -> new Events(stream.frames());
            case ApiResponse.Whole whole ->
                throw new AssertionError("no stream: " + new String(whole.body(), StandardCharsets.UTF_8));
            case ApiResponse.Pieces pieces -> throw new AssertionError("a list: " + pieces);
        };
    }

    /** Opens a watch, or one that ends at once if it is refused with 429. */
    Events watchIfThereIsRoom(String path) {
        return switch (Routing.serve(cluster, request("GET", path + "&watch=1", "", "", new byte[0]))) {
            case ApiResponse.Stream stream -> new Events(stream.frames());
            case ApiResponse.Whole whole when whole.status() == 429 -> new Events(Events.NONE);
            case ApiResponse.Whole whole ->
                throw new AssertionError("no stream: " + new String(whole.body(), StandardCharsets.UTF_8));
            case ApiResponse.Pieces pieces -> throw new AssertionError("a list: " + pieces);
        };
    }

    static byte[] join(ApiResponse.Pieces pieces) {
        try {
            return pieces.join();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while listing", e);
        }
    }

    static ApiRequest request(String method, String target, String contentType, String accept, byte[] body) {
        return request(ADMIN, method, target, contentType, accept, body);
    }

    private static ApiRequest request(
            UserInfo user, String method, String target, String contentType, String accept, byte[] body) {
        String path = target.contains("?") ? target.substring(0, target.indexOf('?')) : target;
        String query = target.contains("?") ? target.substring(target.indexOf('?') + 1) : "";
        RequestInfo info = RequestInfoParser.parse(method, path, query);
        Map<String, String> headers = new HashMap<>();
        headers.put("content-type", contentType);
        headers.put("accept", accept);
        return new ApiRequest(info, method, parameters(query), headers, user, body);
    }

    private static Map<String, List<String>> parameters(String query) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            if (!pair.isEmpty()) {
                int sign = pair.indexOf('=');
                String name = sign < 0 ? pair : pair.substring(0, sign);
                String value = sign < 0 ? "" : URLDecoder.decode(pair.substring(sign + 1), StandardCharsets.UTF_8);
                parameters.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
            }
        }
        return parameters;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
