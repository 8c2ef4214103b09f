package io.fairlead.cli.server;

import tools.jackson.databind.JsonNode;

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

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    /** The failure of the command. */
    public CommandFailure asFailure() {
        return CommandFailure.of(String.valueOf(getMessage()));
    }
}
