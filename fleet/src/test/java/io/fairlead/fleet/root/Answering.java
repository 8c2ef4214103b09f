package io.fairlead.fleet.root;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.function.Consumer;
import java.util.function.Function;

/** A cluster that answers as a test wants. */
public record Answering(HostedCluster cluster, Function<ApiRequest, ApiResponse> answers) implements HostedCluster {
    @Override
    public ClusterName name() {
        return cluster.name();
    }

    @Override
    public Decision authorize(UserInfo user, RequestInfo request) {
        return cluster.authorize(user, request);
    }

    @Override
    public Handler crdRuntime() {
        return answers::apply;
    }

    @Override
    public Handler baseHandler() {
        return answers::apply;
    }

    @Override
    public AutoCloseable observeTypes(Consumer<TypeEvent> observer) {
        return cluster.observeTypes(observer);
    }
}
