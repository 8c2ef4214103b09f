package io.fairlead.gateway.cli;

import tools.jackson.databind.JsonNode;

/** A server's refusal. */
final class StatusFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;

    StatusFailure(int code, JsonNode status) {
        super(status.path("message").asString("HTTP status " + code));
        this.code = code;
        this.reason = status.path("reason").asString("");
    }

    int code() {
        return code;
    }

    String reason() {
        return reason;
    }

    /** The end of a command that this is. */
    CommandFailure asFailure() {
        return CommandFailure.of(String.valueOf(getMessage()));
    }
}
