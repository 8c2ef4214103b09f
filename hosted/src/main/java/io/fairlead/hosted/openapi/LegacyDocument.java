package io.fairlead.hosted.openapi;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.discovery.Digests;
import io.fairlead.hosted.representation.Accept;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * The OpenAPI v2 document of all groups and versions, in both its forms.
 *
 * <p>kubectl falls back to v2 if v3 fails; client-go reads it only in protobuf.
 *
 * @param json as JSON
 * @param protobuf as a gnostic {@code openapi.v2.Document}
 * @param hash of the content
 */
record LegacyDocument(byte[] json, byte[] protobuf, String hash) {
    static final String PATH = "/openapi/v2";
    private static final String PROTOBUF = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

    /**
     * The content type of the answer: a media type must not contain an @ (RFC 6838 section 4.2), and Go refuses one.
     */
    private static final String PROTOBUF_ANSWER = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    private static final List<String> OFFERED = List.of(Accept.JSON, PROTOBUF, PROTOBUF_ANSWER);

    /** Merges documents of v3. */
    static LegacyDocument of(Collection<ObjectNode> documents) {
        ObjectNode tree = LegacyTree.of(documents);
        byte[] json = Json.write(tree);
        return new LegacyDocument(json, GnosticDocument.write(tree), Digests.ofContent(json));
    }

    /** Answers a GET or HEAD request. */
    ApiResponse answer(ApiRequest request) {
        Accept.Choice choice = Accept.parse(request.header("accept")).choose(OFFERED, (mediaType, range) -> true);
        if (choice == null) {
            throw new StatusException(Accept.notAcceptable(OFFERED));
        }
        boolean asJson = choice.mediaType().equals(Accept.JSON);
        Map<String, List<String>> headers = Map.of("ETag", List.of('"' + hash + '"'), "Vary", List.of("Accept"));
        String mediaType = asJson ? Accept.JSON : PROTOBUF_ANSWER;
        return request.header("if-none-match").contains(hash)
                ? new ApiResponse.Whole(304, mediaType, headers, new byte[0])
                : new ApiResponse.Whole(200, mediaType, headers, asJson ? json : protobuf);
    }
}
