package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TokenVerdict;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;

/** A hosted cluster whose rights and answers a test writes; everything is allowed and answered with {@code {}} at first. */
final class FakeHosted implements HostedCluster {
    static final String CRD_RUNTIME = "CRD runtime";
    static final String BASE_HANDLER = "base handler";

    private final ClusterName name;
    private final List<String> handlers = new CopyOnWriteArrayList<>();
    private final List<ApiRequest> requests = new CopyOnWriteArrayList<>();
    private volatile BiPredicate<UserInfo, RequestInfo> rights = (_, _) -> true;
    private volatile Function<String, TokenVerdict> tokens = _ -> new TokenVerdict.Foreign();
    private volatile Function<ApiRequest, ApiResponse> answer = _ -> json(200, "{}");

    FakeHosted(String name) {
        this.name = new ClusterName(name);
    }

    static ApiResponse json(int status, String body) {
        return new ApiResponse.Whole(status, "application/json", Map.of(), body.getBytes(UTF_8));
    }

    void allow(BiPredicate<UserInfo, RequestInfo> newRights) {
        rights = newRights;
    }

    void answer(Function<ApiRequest, ApiResponse> newAnswer) {
        answer = newAnswer;
    }

    void judgeTokens(Function<String, TokenVerdict> newTokens) {
        tokens = newTokens;
    }

    List<ApiRequest> requests() {
        return requests;
    }

    @Override
    public ClusterName name() {
        return name;
    }

    @Override
    public Decision authorize(UserInfo user, RequestInfo request) {
        return rights.test(user, request) ? new Decision.Allowed() : new Decision.Denied("");
    }

    @Override
    public TokenVerdict userOfToken(String token) {
        return tokens.apply(token);
    }

    @Override
    public Handler crdRuntime() {
        return request -> answered(CRD_RUNTIME, request);
    }

    @Override
    public Handler baseHandler() {
        return request -> answered(BASE_HANDLER, request);
    }

    /** Which handler answered each request. */
    List<String> handlers() {
        return handlers;
    }

    private ApiResponse answered(String handler, ApiRequest request) {
        handlers.add(handler);
        requests.add(request);
        return answer.apply(request);
    }

    @Override
    public AutoCloseable observeTypes(Consumer<TypeEvent> observer) {
        return () -> {};
    }
}
