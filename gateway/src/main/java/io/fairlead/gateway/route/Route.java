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
 * Where one request goes: what one look-up in the serves index said, with the holders, the epoch and the resource version that
 * it rests on. Only {@link Router} makes one, and what answers a request takes nothing else.
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
     * @param location what it said; null of a path that is no resource, for which none is made
     * @param silentNanos for how long changes of what the cluster serves may have gone unheard by then
     */
    record Look(@Nullable Location location, long silentNanos) {
        static final Look NONE = new Look(null, 0);
    }

    /** The cluster's view at the look-up; empty if the cluster is not indexed, or no resource was asked about. */
    public Optional<ClusterView> view() {
        return location == null ? Optional.empty() : location.view();
    }

    /** For how many nanoseconds changes of what the cluster serves may have gone unheard at the look-up. */
    public long silentNanos() {
        return silentNanos;
    }

    /** Which of the four it is, as metrics and reports say it. */
    public abstract Kind kind();

    /** Who served the resource at the look-up, ordered by type and name; empty where none was asked about. */
    public List<Holder> holders() {
        return location == null ? List.of() : location.holders();
    }

    /** What the look-up rests on; of a path that is no resource, nothing. */
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

        /** As metrics and reports spell it. */
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

        /** The definition as the look-up found it. */
        public Holder definition() {
            return definition;
        }

        @Override
        public Kind kind() {
            return Kind.CRD_RUNTIME;
        }
    }

    /** Everything else that the cluster answers itself: its own kinds, discovery, and the 404 for what it does not have. */
    public static final class ToBaseHandler extends Route {
        ToBaseHandler(Look look) {
            super(look);
        }

        @Override
        public Kind kind() {
            return Kind.BASE_HANDLER;
        }
    }

    /** The whole group/version goes to what an APIService or a publication names. */
    public static final class ToAggregated extends Route {
        ToAggregated(Look look) {
            super(look);
        }

        @Override
        public Kind kind() {
            return Kind.AGGREGATED;
        }
    }

    /** No handler answers: the index does not know yet which should, or there is no backend for it. */
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

        /** Whether the index may say more in a moment. */
        boolean isForNow() {
            return isUnknown;
        }

        @Override
        public Kind kind() {
            return Kind.REJECTED;
        }
    }
}
