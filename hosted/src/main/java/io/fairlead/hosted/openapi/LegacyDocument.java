package io.fairlead.hosted.openapi;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.accept.Accept;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * An OpenAPI v2 document without paths and definitions.
 *
 * <p>kubectl turns to v2 for kinds that v3 does not know and, told nothing there, goes on to say that there is no such
 * kind; without the document it fails with an unrelated message. client-go reads it in protobuf alone.
 */
final class LegacyDocument {
    static final String PATH = "/openapi/v2";

    private static final String PROTOBUF = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    /** What the answer calls itself: a media type may not contain an @ (RFC 6838 section 4.2), and Go refuses it. */
    private static final String PROTOBUF_ANSWER = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    private static final List<String> OFFERED = List.of(Accept.JSON, PROTOBUF, PROTOBUF_ANSWER);
    private static final String TITLE = "Fairlead";
    private static final String VERSION = "unversioned";

    private LegacyDocument() {}

    static ApiResponse answer(ApiRequest request) {
        Accept.Choice choice = Accept.parse(request.header("accept")).choose(OFFERED, (mediaType, range) -> true);
        if (choice == null) {
            throw new StatusException(Accept.notAcceptable(OFFERED));
        }
        return choice.mediaType().equals(Accept.JSON)
                ? new ApiResponse.Whole(200, Accept.JSON, Map.of(), Json.write(json()))
                : new ApiResponse.Whole(200, PROTOBUF_ANSWER, Map.of(), protobuf());
    }

    private static ObjectNode json() {
        ObjectNode document = Json.object().put("swagger", "2.0");
        document.putObject("info").put("title", TITLE).put("version", VERSION);
        document.putObject("paths");
        return document;
    }

    /** A gnostic {@code Document}: field 1 is {@code swagger}, field 2 {@code info} with 1 {@code title}, 2 {@code version}. */
    private static byte[] protobuf() {
        return HexFormat.of().parseHex(text(1, "2.0") + field(2, text(1, TITLE) + text(2, VERSION)));
    }

    private static String text(int number, String text) {
        return field(number, HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** A length-delimited field of fewer than 128 bytes, in hexadecimal digits. */
    private static String field(int number, String content) {
        return HexFormat.of().toHexDigits((byte) (number << 3 | 2))
                + HexFormat.of().toHexDigits((byte) (content.length() / 2))
                + content;
    }
}
