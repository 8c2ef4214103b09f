package io.fairlead.clustersync.fabric8;

import io.fairlead.net.UpstreamFailure;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A request that failed; carries the reason, so that it reaches the cluster's status unchanged. */
final class UpstreamException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient UpstreamFailure failure;

    UpstreamException(UpstreamFailure failure) {
        super(failure.message());
        this.failure = failure;
    }

    /** The failure among a throwable's causes, if there is one. */
    static @Nullable UpstreamFailure in(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < 10; depth++, cause = cause.getCause()) {
            if (cause instanceof UpstreamException exception) {
                return exception.failure;
            }
        }
        return null;
    }
}
