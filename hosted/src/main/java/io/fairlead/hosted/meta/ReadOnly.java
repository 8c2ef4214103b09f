package io.fairlead.hosted.meta;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;

/** Refuses writes to read-only paths. */
public final class ReadOnly {
    private ReadOnly() {}

    /**
     * Lets GET and HEAD pass.
     *
     * @throws StatusException 405 for any other method
     */
    public static void require(ApiRequest request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            throw new StatusException(Status.of(
                    405, "MethodNotAllowed", "the server does not allow this method on the requested resource"));
        }
    }
}
