package io.fairlead.schema.json;

import io.fairlead.model.Status;

/**
 * A body that is not JSON, YAML or protobuf, or exceeds a limit of the reader; the message names the place and what was
 * expected.
 *
 * <p>It is an answer to the author of the text and not a fault, so it has no stack trace.
 */
public final class UnreadableDocumentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreadableDocumentException(String message) {
        super(message, null, false, false);
    }

    /** The answer to a request with this body. */
    public Status status() {
        return Status.badRequest(getMessage());
    }

    @Override
    public String getMessage() {
        String message = super.getMessage();
        return message == null ? "" : message;
    }
}
