package io.fairlead.gateway.pin;

import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.route.Routed;
import io.fairlead.model.TypeDigest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request whose type matches all pins and headers; only {@link Judged} makes one.
 *
 * @param <R> the type of its route
 */
public final class Pinned<R extends Routed> {
    private final R request;
    private final @Nullable TypeDigest api;
    private final List<String> warnings;

    Pinned(R request, @Nullable TypeDigest api, List<String> warnings) {
        this.request = request;
        this.api = api;
        this.warnings = warnings;
    }

    public R request() {
        return request;
    }

    /**
     * Adds to the answer what the request was judged by: the digest of the type's API and the pins' warnings, and to a list
     * or watch the epoch of the cluster's history.
     */
    public void tell(Reply reply) {
        reply.warn(warnings);
        EpochHeader.tell(request, reply);
        if (api != null) {
            reply.carry(Map.of(DigestHeader.NAME, api.text()));
        }
    }
}
