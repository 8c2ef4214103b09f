package io.fairlead.gateway.pin;

import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.route.Routed;
import io.fairlead.model.TypeDigest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request whose type is what it is expected to be, as far as pins and headers say; only {@link Judged} makes one.
 *
 * @param <R> where it was routed to
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

    /** Has the caller told, beside whatever is answered, what the type's API is and what pins warn of. */
    public void tell(Reply reply) {
        reply.warn(warnings);
        if (api != null) {
            reply.carry(Map.of(DigestHeader.FIELD, api.text()));
        }
    }
}
