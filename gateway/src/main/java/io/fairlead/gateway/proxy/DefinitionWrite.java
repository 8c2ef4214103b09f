package io.fairlead.gateway.proxy;

import io.fairlead.gateway.route.ToAttached;
import io.fairlead.index.HolderType;
import io.fairlead.model.RequestInfo;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that may change a holder of types in an attached cluster. From the moment its client can know of the
 * change, the indexed types are in doubt, until the cluster's watch has reported the change. Confined to an event loop.
 */
final class DefinitionWrite {
    private final Consumer<HolderType> doubt;
    private final @Nullable HolderType changes;
    private boolean told;
    private boolean answered;

    DefinitionWrite(ToAttached request) {
        this.doubt = request.cluster().doubt();
        this.changes = changes(request.described().info());
    }

    /** The cluster answered. A refusal changed nothing; a server error may have changed something. */
    void answered(int status) {
        answered = true;
        if (status < 400 || status >= 500) {
            mayHaveChanged();
        }
    }

    /** Whether it may change something, and the cluster has not answered yet. */
    boolean isUndecided() {
        return changes != null && !answered;
    }

    /** The cluster may have executed the request, and no answer will follow. */
    void mayHaveChanged() {
        if (changes != null && !told) {
            told = true;
            doubt.accept(changes);
        }
    }

    private static @Nullable HolderType changes(RequestInfo info) {
        if (!info.resourceRequest() || info.isReadOnly()) {
            return null;
        }
        if (info.resource().equals("customresourcedefinitions") && info.group().equals("apiextensions.k8s.io")) {
            return HolderType.CRD;
        }
        return info.resource().equals("apiservices") && info.group().equals("apiregistration.k8s.io")
                ? HolderType.API_SERVICE
                : null;
    }
}
