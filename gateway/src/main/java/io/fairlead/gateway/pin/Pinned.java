package io.fairlead.gateway.pin;

import io.fairlead.gateway.route.Routed;
import java.util.List;

/**
 * A request whose type is what it is expected to be, as far as anybody said; only {@link PinCheck} makes one.
 *
 * @param <R> where it was routed to
 */
public final class Pinned<R extends Routed> {
    private final R request;
    private final List<String> warnings;

    Pinned(R request, List<String> warnings) {
        this.request = request;
        this.warnings = warnings;
    }

    public R request() {
        return request;
    }

    /** What the caller shall be told beside the answer; texts of {@code Warning} headers. */
    public List<String> warnings() {
        return warnings;
    }
}
