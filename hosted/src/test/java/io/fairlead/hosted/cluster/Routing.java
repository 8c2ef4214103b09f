package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.DefinitionChangedException;
import io.fairlead.hosted.DefinitionState;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.hosted.TypeEvent.ServedType;
import io.fairlead.model.CallerName;
import io.fairlead.model.RequestInfo;
import java.util.ArrayList;
import java.util.List;

/** Leads requests to a cluster's handlers as a front end does, by what the cluster tells of its types. */
final class Routing {
    private static final int LOOKS_MAX = 100;

    private Routing() {}

    static ApiResponse serve(HostedCluster cluster, ApiRequest request) {
        boolean lookedTwice = false;
        for (int look = 0; look < LOOKS_MAX; look++) {
            DefinitionState definition = definition(cluster, request.info());
            try {
                if (definition instanceof DefinitionState.At) {
                    return cluster.crdRuntime().serve(by(definition, request));
                }
                return cluster.baseHandler().serve(by(lookedTwice ? new DefinitionState.Any() : definition, request));
            } catch (DefinitionChangedException e) {
                lookedTwice = !(definition instanceof DefinitionState.At);
            }
        }
        throw new AssertionError("the definition changed " + LOOKS_MAX + " times");
    }

    /** The same request by a state of its resource's definition. */
    static ApiRequest by(DefinitionState definition, ApiRequest request) {
        return with(request.caller(), request.isUserEverywhere(), definition, request);
    }

    /** The same request of another caller. */
    static ApiRequest of(CallerName caller, ApiRequest request) {
        return with(caller, true, new DefinitionState.Any(), request);
    }

    private static ApiRequest with(
            CallerName caller, boolean isUserEverywhere, DefinitionState definition, ApiRequest request) {
        return new ApiRequest(
                request.info(),
                request.method(),
                request.query(),
                request.headers(),
                request.user(),
                request.body(),
                caller,
                isUserEverywhere,
                definition,
                request.scope(),
                request.creationCheck());
    }

    private static DefinitionState definition(HostedCluster cluster, RequestInfo info) {
        List<ServedType> served = new ArrayList<>();
        try (AutoCloseable _ = cluster.observeTypes(event -> {
            if (event instanceof TypeEvent.Complete complete) {
                served.addAll(complete.types());
            }
        })) {
            return served.stream()
                    .filter(type -> !type.builtIn()
                            && type.group().equals(info.group())
                            && type.versions().contains(info.version())
                            && type.resources().contains(info.resource()))
                    .<DefinitionState>map(type -> new DefinitionState.At(Long.toString(type.revision())))
                    .findFirst()
                    .orElse(new DefinitionState.None());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
