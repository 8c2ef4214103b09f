package io.fairlead.hosted.review;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.representation.Accept;
import io.fairlead.hosted.representation.Representation;
import io.fairlead.hosted.representation.Representations;
import io.fairlead.hosted.verbs.Warnings;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.json.Yaml;
import io.fairlead.schema.protobuf.Protobuf;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a review, in JSON, YAML or protobuf.
 *
 * @param object its known fields
 * @param warnings a text for each unknown field, unless {@code fieldValidation=Ignore}
 */
record ReviewBody(ObjectNode object, List<String> warnings) {
    /**
     * Reads the body of a request.
     *
     * @throws StatusException 415 for another media type; 400 for a body that is not such a review
     */
    static ReviewBody read(ApiRequest request, String apiVersion, String kind) {
        ObjectNode tree = tree(request);
        requireKind(tree, apiVersion, kind);
        TypedDecoder.Decoded decoded =
                TypedDecoder.decode(Objects.requireNonNull(ApiTypes.ofKind(apiVersion, kind), kind), tree, "", false);
        if (decoded.problem() != null) {
            throw Refusals.undecodable(kind, version(apiVersion), decoded.problem());
        }
        List<String> unknown = decoded.unknownFields().stream()
                .map(path -> "unknown field \"" + path + "\"")
                .toList();
        return new ReviewBody(decoded.tree(), validated(request, kind, version(apiVersion), unknown));
    }

    /**
     * What is made of it, with its warnings, which refusals have as well.
     *
     * @param answer of 201
     */
    ApiResponse answered(ApiRequest request, Representation form, Supplier<ObjectNode> answer) {
        try {
            byte[] body = form.encode(form.object(answer.get()));
            return new ApiResponse.Whole(201, form.contentType(), headers(), body);
        } catch (StatusException refused) {
            if (warnings.isEmpty()) {
                throw refused;
            }
            return Representations.failure(request, refused.status(), headers());
        }
    }

    private Map<String, List<String>> headers() {
        Warnings cut = new Warnings();
        warnings.forEach(cut::add);
        return cut.headers();
    }

    private static String version(String apiVersion) {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    private static List<String> validated(ApiRequest request, String kind, String version, List<String> unknown) {
        String validation = request.parameter("fieldValidation");
        return switch (validation == null ? "" : validation) {
            case "Ignore" -> List.of();
            case "Strict" -> {
                if (!unknown.isEmpty()) {
                    throw Refusals.undecodable(kind, version, "strict decoding error: " + String.join(", ", unknown));
                }
                yield unknown;
            }
            default -> unknown;
        };
    }

    private static ObjectNode tree(ApiRequest request) {
        return switch (mediaType(request)) {
            case "", Accept.JSON -> requireObject(request, false);
            case Accept.YAML -> requireObject(request, true);
            case Accept.PROTOBUF -> ofProtobuf(request.body());
            default ->
                throw new StatusException(Status.of(
                        415,
                        "UnsupportedMediaType",
                        "the body of the request was in an unknown format - accepted media types include: "
                                + String.join(", ", Accept.JSON, Accept.YAML, Accept.PROTOBUF)));
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

    private static ObjectNode ofProtobuf(byte[] body) {
        try {
            return Protobuf.read(body);
        } catch (UnreadableDocumentException e) {
            throw new StatusException(e.status());
        }
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
