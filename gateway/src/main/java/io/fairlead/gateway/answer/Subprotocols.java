package io.fairlead.gateway.answer;

import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import java.util.List;
import java.util.stream.Stream;

/**
 * The subprotocols that a client offers for its WebSocket ({@code Sec-WebSocket-Protocol}, RFC 6455 section 11.3.4).
 */
public final class Subprotocols {
    /** How the names of all fields of a WebSocket's handshake begin. */
    public static final FieldName PREFIX = FieldName.of("sec-websocket-");

    /** A pseudo protocol that carries the caller's token (apiserver {@code authentication/request/websocket}). */
    private static final String BEARER = "base64url.bearer.authorization.k8s.io.";

    private Subprotocols() {}

    /** The protocols without tokens, in the order of the request. */
    public static List<String> offered(MutableFields request) {
        return request.all(FieldName.SEC_WEBSOCKET_PROTOCOL).stream()
                .flatMap(field -> Stream.of(field.split(",", -1)))
                .map(String::strip)
                .filter(protocol -> !protocol.isEmpty() && !protocol.startsWith(BEARER))
                .toList();
    }
}
