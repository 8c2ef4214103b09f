package io.fairlead.cli.server;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A server's refusal. */
public final class StatusFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;

    StatusFailure(int code, JsonNode status) {
        super(status.path("message").asString("HTTP status " + code));
        this.code = code;
        this.reason = status.path("reason").asString("");
    }

    /** Of a request in cluster root, which a refusal does not name, and which is not the cluster that the user has in mind. */
    static StatusFailure inRoot(int code, JsonNode status) {
        ObjectNode told = status instanceof ObjectNode object ? object.deepCopy() : Json.object();
        String message = status.path("message").asString("");
        return new StatusFailure(code, code == 403 ? told.put("message", message + " (in cluster root)") : status);
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    /** Whether a cluster is sent its users' own tokens alone, and the caller came with another credential ({@code Passthrough}). */
    public static boolean isOfPassthrough(HttpResponse<byte[]> response) {
        try {
            return response.statusCode() == 403
                    && Json.read(response.body())
                            .at("/details/causes/0/reason")
                            .asString("")
                            .equals("PassthroughNeedsClusterToken");
        } catch (UnreadableDocumentException notJson) {
            return false;
        }
    }

    /** The failure of the command. */
    public CommandFailure asFailure() {
        return CommandFailure.of(String.valueOf(getMessage()));
    }
}
