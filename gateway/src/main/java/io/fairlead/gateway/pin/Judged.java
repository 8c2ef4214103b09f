package io.fairlead.gateway.pin;

import io.fairlead.gateway.route.Routed;
import io.fairlead.model.ClusterName;
import io.fairlead.model.StatusException;
import io.fairlead.model.TypeDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A request with the pins' objections, before they are worded for the caller; only {@link PinCheck} makes one.
 *
 * <p>Pins compare clusters. A caller sees only names and digests of clusters that it may enter, and that check may
 * block.
 *
 * @param <R> the type of its route
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

    /** Whether objections name other clusters than the request's, so that the caller's access to them matters. */
    public boolean speaksOfOthers() {
        boolean speaks = denial != null && denial.other() != null;
        for (Objection warning : warnings) {
            speaks |= warning.other() != null;
        }
        return speaks;
    }

    /**
     * Continues unless a pin denies it.
     *
     * @param mayEnter whether the caller may enter a cluster; called only for those named
     * @throws StatusException with 403 or 503 if a pin denies it
     */
    public Pinned<R> tell(Predicate<ClusterName> mayEnter) {
        if (denial != null) {
            throw new StatusException(denial.refusal(request.described().info(), mayEnter));
        }
        if (warnings.isEmpty()) {
            return new Pinned<>(request, api, List.of());
        }
        List<String> words = new ArrayList<>(warnings.size());
        for (Objection warning : warnings) {
            words.add(warning.warning(mayEnter));
        }
        return new Pinned<>(request, api, words);
    }
}
