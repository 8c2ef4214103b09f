package io.fairlead.hosted.review;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.json.Yaml;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a review, in JSON, YAML or protobuf.
 *
 * @param object what the review knows of it, without {@code apiVersion} and {@code kind}
 * @param warnings a text for each field that is not known, unless {@code fieldValidation=Ignore}
 */
record ReviewBody(ObjectNode object, List<String> warnings) {
    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    /**
     * Reads the body of a request.
     *
     * @throws StatusException 415 for another media type; 400 for a body that is no such review
     */
    static ReviewBody read(ApiRequest request, String apiVersion, String kind) {
        Message message = Message.named(kind);
        ObjectNode tree = tree(request, message);
        requireKind(tree, apiVersion, kind);
        TreeReader reader = new TreeReader();
        ObjectNode object = reader.read(tree, message, "");
        List<String> unknown = reader.unknown().stream()
                .map(path -> "unknown field \"" + path + "\"")
                .toList();
        return new ReviewBody(object, validated(request, unknown));
    }

    private static List<String> validated(ApiRequest request, List<String> unknown) {
        String validation = request.parameter("fieldValidation");
        return switch (validation == null ? "" : validation) {
            case "Ignore" -> List.of();
            case "Strict" -> {
                if (!unknown.isEmpty()) {
                    throw new StatusException(
                            Status.badRequest("strict decoding error: " + String.join(", ", unknown)));
                }
                yield unknown;
            }
            default -> unknown;
        };
    }

    private static ObjectNode tree(ApiRequest request, Message message) {
        return switch (mediaType(request)) {
            case "", JSON -> requireObject(request, false);
            case YAML -> requireObject(request, true);
            case PROTOBUF -> ProtobufReader.read(request.body(), message);
            default ->
                throw new StatusException(Status.of(
                        415,
                        "UnsupportedMediaType",
                        "the body of the request was in an unknown format - accepted media types include: "
                                + String.join(", ", JSON, YAML, PROTOBUF)));
        };
    }

    private static String mediaType(ApiRequest request) {
        String header = request.header("content-type");
        int semicolon = header.indexOf(';');
        return (semicolon < 0 ? header : header.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
    }

    private static ObjectNode requireObject(ApiRequest request, boolean yaml) {
        try {
            JsonNode root = yaml ? Yaml.read(request.body()) : Json.read(request.body());
            if (root instanceof ObjectNode object) {
                return object;
            }
        } catch (UnreadableDocumentException e) {
            throw new StatusException(e.status());
        }
        throw new StatusException(Status.badRequest("the body is not an object (expected a review)"));
    }

    private static void requireKind(ObjectNode tree, String apiVersion, String kind) {
        String actualKind = tree.path("kind").asString("");
        String actualVersion = tree.path("apiVersion").asString("");
        if ((!actualKind.isEmpty() && !actualKind.equals(kind))
                || (!actualVersion.isEmpty() && !actualVersion.equals(apiVersion))) {
            throw new StatusException(Status.badRequest(actualKind + " in version \"" + actualVersion
                    + "\" cannot be handled as a " + kind + " (expected version \"" + apiVersion + "\")"));
        }
    }
}
