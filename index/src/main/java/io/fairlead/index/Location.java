package io.fairlead.index;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a cluster serves a resource: the answer of one look-up, with the holder that serves its requests, all from one
 * view.
 *
 * <p>Slow parts are computed on demand. Immutable; safe for any thread.
 */
public final class Location {
    private final @Nullable ClusterView view;
    private final Answer answer;
    private final @Nullable Holder holder;
    private final Lookup.@Nullable Reason reason;
    private final String group;
    private final String version;
    private final String resource;

    Location(
            @Nullable ClusterView view,
            Answer answer,
            @Nullable Holder holder,
            Lookup.@Nullable Reason reason,
            String group,
            String version,
            String resource) {
        this.view = view;
        this.answer = answer;
        this.holder = holder;
        this.reason = reason;
        this.group = group;
        this.version = version;
        this.resource = resource;
    }

    /** Whether the cluster serves the resource. */
    public Answer answer() {
        return answer;
    }

    /**
     * The holder that serves requests, unless it is the API server itself: the CRD that defines the resource, or the
     * router of the whole group/version, which has priority over any CRD (as in kube-aggregator, where an APIService
     * with a service takes its group/version).
     */
    public @Nullable Holder holder() {
        return holder;
    }

    /** Why the answer is UNKNOWN; null if it is not. */
    public Lookup.@Nullable Reason reason() {
        return reason;
    }

    /** All holders of the resource, ordered by type and name; its size is the count. */
    public List<Holder> holders() {
        return view == null ? List.of() : view.serving(group, version, resource);
    }

    /** The view of the look-up; empty if the cluster is not indexed. */
    public Optional<ClusterView> view() {
        return Optional.ofNullable(view);
    }

    /** The evidence of the answer. */
    public Evidence evidence() {
        return view == null ? Evidence.NONE : view.evidence();
    }
}
