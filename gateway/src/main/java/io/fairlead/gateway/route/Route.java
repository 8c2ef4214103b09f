package io.fairlead.gateway.route;

import io.fairlead.index.Answer;
import io.fairlead.index.ClusterView;
import io.fairlead.index.Evidence;
import io.fairlead.index.Holder;
import io.fairlead.index.Location;
import io.fairlead.model.Status;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The route of one request: the result of one look-up in the serves index, with its holders, epoch and resource
 * version. Only {@link Router} makes one, and handlers use nothing else.
 */
public abstract sealed class Route {
    private final @Nullable Location location;
    private final long silentNanos;

    private Route(Look look) {
        this.location = look.location();
        this.silentNanos = look.silentNanos();
    }

    /**
     * One look-up.
     *
     * @param location its result; null for a non-resource path, which needs none
     * @param silentNanos how long changes of what the cluster serves may have been missed by then
     */
    record Look(@Nullable Location location, long silentNanos) {
        static final Look NONE = new Look(null, 0);
    }

    /** The cluster's view at the look-up; empty if the cluster is not indexed, or the path is not a resource. */
    public Optional<ClusterView> view() {
        return location == null ? Optional.empty() : location.view();
    }

    /** For how many nanoseconds changes of what the cluster serves may have been missed at the look-up. */
    public long silentNanos() {
        return silentNanos;
    }

    /** Which of the four it is, for metrics and reports. */
    public abstract Kind kind();

    /** The holders of the resource at the look-up, ordered by type and name; empty for a non-resource path. */
    public List<Holder> holders() {
        return location == null ? List.of() : location.holders();
    }

    /** The evidence of the look-up; none for a non-resource path. */
    public Evidence evidence() {
        return location == null ? Evidence.NONE : location.evidence();
    }

    /** The four kinds. */
    public enum Kind {
        CRD_RUNTIME("crd-runtime"),
        BASE_HANDLER("base-handler"),
        AGGREGATED("aggregated"),
        REJECTED("rejected");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** The spelling in metrics and reports. */
        public String word() {
            return word;
        }
    }

    /** A CustomResourceDefinition serves the resource: its runtime answers. */
    public static final class ToCrdRuntime extends Route {
        private final Holder definition;

        ToCrdRuntime(Look look, Holder definition) {
            super(look);
            this.definition = definition;
        }

        /** The definition at the look-up. */
        public Holder definition() {
            return definition;
        }

        @Override
        public Kind kind() {
            return Kind.CRD_RUNTIME;
        }
    }

    /** Everything else that the cluster answers: its built-in kinds, discovery, and the 404. */
    public static final class ToBaseHandler extends Route {
        ToBaseHandler(Look look) {
            super(look);
        }

        @Override
        public Kind kind() {
            return Kind.BASE_HANDLER;
        }
    }

    /** An APIService or a publication names the backend of the whole group/version. */
    public static final class ToAggregated extends Route {
        private final Holder service;

        ToAggregated(Look look, Holder service) {
            super(look);
            this.service = service;
        }

        /** The APIService or publication at the look-up. */
        public Holder service() {
            return service;
        }

        @Override
        public Kind kind() {
            return Kind.AGGREGATED;
        }
    }

    /** No handler answers: the index is incomplete, or there is no backend. */
    public static final class Rejected extends Route {
        private final Status status;
        private final boolean isUnknown;

        Rejected(Look look, Status status) {
            super(look);
            this.status = status;
            this.isUnknown = look.location() != null && look.location().answer() == Answer.UNKNOWN;
        }

        /** The answer. */
        public Status status() {
            return status;
        }

        /** Whether a retry in a moment may succeed. */
        boolean isForNow() {
            return isUnknown;
        }

        @Override
        public Kind kind() {
            return Kind.REJECTED;
        }
    }
}
