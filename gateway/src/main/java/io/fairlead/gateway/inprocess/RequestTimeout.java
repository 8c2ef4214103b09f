package io.fairlead.gateway.inprocess;

import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.regex.Pattern;

/** The {@code timeout} parameter of a request (apiserver {@code filters/request_deadline.go}). */
final class RequestTimeout {
    /** Go's {@code time.ParseDuration}. */
    private static final Pattern DURATION =
            Pattern.compile("[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)");

    private RequestTimeout() {}

    /**
     * Refuses a value that is not a duration; a valid one has no effect, since every call is answered as soon as
     * possible.
     */
    static void requireValid(String timeout) {
        if (!timeout.isEmpty() && !DURATION.matcher(timeout).matches()) {
            throw new StatusException(Status.badRequest(
                    "invalid timeout specified in the request URL - time: invalid duration \"" + timeout + "\""));
        }
    }
}
