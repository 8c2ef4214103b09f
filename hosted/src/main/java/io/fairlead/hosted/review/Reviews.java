package io.fairlead.hosted.review;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.identity.ServiceAccountTokens;
import io.fairlead.hosted.rbac.Policy;
import io.fairlead.hosted.representation.Representation;
import io.fairlead.hosted.representation.Representations;
import io.fairlead.model.PathShape;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers SelfSubjectAccessReview, SelfSubjectRulesReview, SubjectAccessReview, LocalSubjectAccessReview and
 * SelfSubjectReview from the cluster's RBAC, and TokenReview from its ServiceAccounts. They can only be created; the answer is a
 * 201.
 */
public final class Reviews {
    private static final String AUTHORIZATION = "authorization.k8s.io";
    private static final List<ResourceType> TYPES = List.of(
            ResourceType.onlyCreated("authentication.k8s.io", "SelfSubjectReview", false),
            ResourceType.onlyCreated("authentication.k8s.io", "TokenReview", false),
            ResourceType.onlyCreated(AUTHORIZATION, "LocalSubjectAccessReview", true),
            ResourceType.onlyCreated(AUTHORIZATION, "SelfSubjectAccessReview", false),
            ResourceType.onlyCreated(AUTHORIZATION, "SelfSubjectRulesReview", false),
            ResourceType.onlyCreated(AUTHORIZATION, "SubjectAccessReview", false));

    private final Supplier<Policy> policies;
    private final ServiceAccountTokens tokens;
    private final Representations representations;
    private final InstantSource clock;

    /** Reads the policy at each review. */
    public Reviews(
            Supplier<Policy> policies,
            ServiceAccountTokens tokens,
            Representations representations,
            InstantSource clock) {
        this.policies = policies;
        this.tokens = tokens;
        this.representations = representations;
        this.clock = clock;
    }

    /** The resources of the reviews, as discovery lists them. */
    public static List<ResourceType> types() {
        return TYPES;
    }

    /**
     * Answers a request for one of these resources; null for any other.
     *
     * @throws StatusException 405 for any verb except create, and for the problems of a review
     */
    public @Nullable ApiResponse answer(ApiRequest request) {
        ResourceType type = request.info().resourceRequest() ? typeOf(request) : null;
        if (type == null) {
            return null;
        }
        requireCreate(request, type);
        Representation form = representations.whole(request);
        ReviewBody body = ReviewBody.read(request, type.groupVersion().apiVersion(), type.kind());
        return body.answered(request, form, () -> review(request, type, body.object()));
    }

    private ObjectNode review(ApiRequest request, ResourceType type, ObjectNode body) {
        ObjectNode review = Json.object()
                .put("kind", type.kind())
                .put("apiVersion", type.groupVersion().apiVersion());
        if (type.kind().equals("SelfSubjectReview")) {
            review.set("metadata", Json.object().put("creationTimestamp", now()));
            return review.set("status", Identity.status(request.user()));
        }
        ObjectNode spec = body.get("spec") instanceof ObjectNode given ? given : Json.object();
        if (type.kind().equals("TokenReview")) {
            review.set("metadata", AccessQuestion.metadata(body.path("metadata"), ""));
            review.set("spec", spec);
            return review.set("status", TokenAnswer.status(tokens, spec));
        }
        Policy policy = policies.get();
        if (type.kind().equals("SelfSubjectRulesReview")) {
            review.set("metadata", Json.object());
            review.set("spec", spec);
            return review.set("status", RulesAnswer.status(policy, request.user(), body));
        }
        AccessQuestion question = new AccessQuestion(type, body, request.info().namespace());
        ObjectNode status = question.answer(policy, request.user());
        review.set("metadata", question.metadata());
        review.set("spec", spec);
        return review.set("status", status);
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static @Nullable ResourceType typeOf(ApiRequest request) {
        for (ResourceType type : TYPES) {
            if (type.plural().equals(request.info().resource())
                    && type.group().equals(request.info().group())
                    && type.version().equals(request.info().version())) {
                return type;
            }
        }
        return null;
    }

    private static void requireCreate(ApiRequest request, ResourceType type) {
        PathShape shape = request.info().shape();
        if (!shape.isCollection() || shape.hasPrefix() || type.namespaced() != shape.inNamespace()) {
            throw new StatusException(Status.of(404, "NotFound", "the server could not find the requested resource"));
        }
        if (!request.info().verb().equals("create")) {
            throw new StatusException(Status.of(
                    405, "MethodNotAllowed", "the server does not allow this method on the requested resource"));
        }
    }
}
