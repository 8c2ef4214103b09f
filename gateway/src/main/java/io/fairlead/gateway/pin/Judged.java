package io.fairlead.gateway.pin;

import io.fairlead.gateway.route.Routed;
import io.fairlead.model.ClusterName;
import io.fairlead.model.StatusException;
import io.fairlead.model.TypeDigest;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request of which the pins have said what they have to say, but not yet in the caller's words; only {@link PinCheck} makes one.
 *
 * <p>Pins compare clusters. A caller is told the names and digests of those alone that it may enter, and to find out which
 * those are may block.
 *
 * @param <R> where it was routed to
 */
public final class Judged<R extends Routed> {
    private final R request;
    private final @Nullable TypeDigest api;
    private final List<Objection> warnings;
    private final @Nullable Objection denial;

    Judged(R request, @Nullable TypeDigest api, List<Objection> warnings, @Nullable Objection denial) {
        this.request = request;
        this.api = api;
        this.warnings = List.copyOf(warnings);
        this.denial = denial;
    }

    /** Whether other clusters than the request's are spoken of, so that it matters which of them the caller may enter. */
    public boolean speaksOfOthers() {
        return Stream.concat(warnings.stream(), Stream.ofNullable(denial)).anyMatch(said -> said.other() != null);
    }

    /**
     * Goes on unless a pin denies it.
     *
     * @param mayEnter whether the caller may enter a cluster; asked of those alone that are spoken of
     * @throws StatusException with 403 or 503 if a pin denies it
     */
    public Pinned<R> tell(Predicate<ClusterName> mayEnter) {
        if (denial != null) {
            throw new StatusException(denial.refusal(request.described().info(), mayEnter));
        }
        List<String> words =
                warnings.stream().map(said -> said.warning(mayEnter)).toList();
        return new Pinned<>(request, api, words);
    }
}
