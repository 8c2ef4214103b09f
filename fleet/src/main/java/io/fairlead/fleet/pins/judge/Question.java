package io.fairlead.fleet.pins.judge;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.TypeDigest;
import org.jspecify.annotations.Nullable;

/**
 * One type of one cluster to judge, looked up once so that all pins judge the same state.
 *
 * @param version the requested version
 * @param changeCount of the index, read before the look-up
 * @param known the result of the look-up
 */
public record Question(ClusterName cluster, GroupResource resource, String version, long changeCount, KnownType known) {
    static Question of(KnownTypes types, ClusterName cluster, GroupResource resource, String version) {
        long changeCount = types.changeCount();
        return new Question(cluster, resource, version, changeCount, types.find(cluster, resource, version));
    }

    /** By the look-up that routed the request. */
    public static Question of(KnownTypes types, ClusterName cluster, Observed observed, RequestInfo info) {
        long changeCount = types.changeCount();
        KnownType known = types.find(cluster, observed, info.groupResource(), info.version());
        return new Question(cluster, info.groupResource(), info.version(), changeCount, known);
    }

    /** The digest of the API; null if there is none. */
    @Nullable
    public TypeDigest api() {
        return known instanceof KnownType.Defined defined ? defined.type().api() : null;
    }

    /** An unknown kind may be the pin's. */
    public boolean isOf(TypePin pin) {
        return !(known instanceof KnownType.Defined defined)
                || pin.concernsKind(defined.type().kind());
    }
}
