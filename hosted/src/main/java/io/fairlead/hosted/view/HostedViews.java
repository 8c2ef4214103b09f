package io.fairlead.hosted.view;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.ObjectReader;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.TypeCatalog;
import io.fairlead.hosted.Vitals;
import io.fairlead.hosted.discovery.Discovery;
import io.fairlead.hosted.discovery.SystemPaths;
import io.fairlead.hosted.identity.OpenIdDocuments;
import io.fairlead.hosted.identity.ServiceAccountTokens;
import io.fairlead.hosted.openapi.OpenApi;
import io.fairlead.hosted.rbac.BootstrapPolicy;
import io.fairlead.hosted.rbac.EscalationGuard;
import io.fairlead.hosted.rbac.PolicyCache;
import io.fairlead.hosted.rbac.SignerRights;
import io.fairlead.hosted.rbac.Verdict;
import io.fairlead.hosted.representation.Representation;
import io.fairlead.hosted.representation.Representations;
import io.fairlead.hosted.review.Reviews;
import io.fairlead.hosted.review.TokenRequests;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The views of one cluster. */
public final class HostedViews implements ClusterViews {
    private static final List<ResourceType> VIRTUAL_TYPES = List.copyOf(Reviews.types());

    private final PolicyCache policies;
    private final Representations representations;
    private final Reviews reviews;
    private final TokenRequests tokenRequests;
    private final OpenIdDocuments openId;
    private final Discovery discovery;
    private final OpenApi openApi;
    private final SystemPaths systemPaths;
    private final List<AdmissionHook> admission;

    private HostedViews(
            TypeCatalog types, ObjectReader objects, ServiceAccountTokens tokens, Vitals vitals, InstantSource clock) {
        this.policies = new PolicyCache(objects);
        this.representations = new Representations(clock);
        this.reviews = new Reviews(policies::policy, tokens, representations, clock);
        this.tokenRequests = new TokenRequests(tokens, representations);
        this.openId = new OpenIdDocuments(tokens);
        this.discovery = new Discovery(types, VIRTUAL_TYPES);
        this.openApi = new OpenApi(types, VIRTUAL_TYPES, clock);
        this.systemPaths = new SystemPaths(discovery::paths, vitals, objects::isCurrent);
        this.admission = List.of(new EscalationGuard(policies::policy), new SignerRights(policies));
    }

    /** Views that compute ages by the given clock. */
    public static ClusterViews.Factory factory(InstantSource clock) {
        return (cluster, types, objects, tokens, vitals) -> new HostedViews(types, objects, tokens, vitals, clock);
    }

    @Override
    public Decision authorize(UserInfo user, RequestInfo request) {
        return switch (policies.decide(user, request)) {
            case Verdict.Allowed(String reason) -> new Decision.Allowed(reason);
            case Verdict.NoOpinion noOpinion -> new Decision.Denied(noOpinion.reason());
        };
    }

    @Override
    public @Nullable Object rightsState() {
        return policies.state();
    }

    @Override
    public @Nullable ApiResponse answer(ApiRequest request) {
        return request.info().resourceRequest() ? answerReview(request) : answerPath(request);
    }

    private @Nullable ApiResponse answerReview(ApiRequest request) {
        ApiResponse answer = reviews.answer(request);
        return answer == null ? tokenRequests.answer(request) : answer;
    }

    private @Nullable ApiResponse answerPath(ApiRequest request) {
        ApiResponse answer = discovery.answer(request);
        if (answer == null) {
            answer = openApi.answer(request);
        }
        if (answer == null) {
            answer = openId.answer(request);
        }
        return answer == null ? systemPaths.answer(request) : answer;
    }

    @Override
    public List<ResourceType> virtualTypes() {
        return VIRTUAL_TYPES;
    }

    @Override
    public Representation representation(ApiRequest request, ResourceType type, boolean watch) {
        return representations.of(request, type, watch);
    }

    @Override
    public List<ObjectNode> bootstrapObjects() {
        return BootstrapPolicy.objects();
    }

    @Override
    public List<AdmissionHook> admission() {
        return admission;
    }
}
