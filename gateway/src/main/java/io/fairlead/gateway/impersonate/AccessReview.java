package io.fairlead.gateway.impersonate;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.answer.UpstreamStatus;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.model.FairleadVersion;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.net.RequestHead;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.WholeAnswer;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One {@code SubjectAccessReview} (API group {@code authorization.k8s.io}, version {@code v1}) on its way to an attached
 * cluster and back.
 */
final class AccessReview {
    private static final String PATH = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    private static final String JSON = "application/json";
    private static final int ANSWER_BYTES_MAX = 64 * 1024;
    private static final int REASON_CHARS_MAX = 1024;

    private final ClusterEntry.Attached cluster;
    private final RequestInfo asked;

    private AccessReview(ClusterEntry.Attached cluster, RequestInfo asked) {
        this.cluster = cluster;
        this.asked = asked;
    }

    /**
     * Sends it.
     *
     * @return the cluster's answer, or a {@link StatusException} with the reason for having none; completed within the
     *     timeout
     */
    static CompletableFuture<Decision> send(
            ClusterEntry.Attached cluster, UserInfo caller, RequestInfo asked, Duration timeout) {
        AccessReview review = new AccessReview(cluster, asked);
        byte[] question = Json.write(question(caller, asked));
        RequestHead head = new RequestHead(HttpMethod.POST, PATH, headers().toFields(), question.length);
        return WholeAnswer.of(cluster.base().upstream(), head, question, timeout, ANSWER_BYTES_MAX)
                .thenApply(outcome -> review.judge(outcome, timeout));
    }

    private Decision judge(WholeAnswer.Outcome outcome, Duration timeout) {
        return switch (outcome) {
            case WholeAnswer.Answered(int status, byte[] body) -> judge(status, body);
            case WholeAnswer.TooLong _ ->
                throw unanswered(502, "BadGateway", "its answer is longer than " + ANSWER_BYTES_MAX + " bytes");
            case WholeAnswer.Failed(UpstreamFailure failure)
            when failure.kind() == UpstreamFailure.Kind.TIMEOUT ->
                throw unanswered(504, "Timeout", "no answer within " + timeout.toSeconds() + " s");
            case WholeAnswer.Failed(UpstreamFailure failure) ->
                throw new StatusException(UpstreamStatus.of(cluster.name(), failure));
        };
    }

    private Decision judge(int status, byte[] body) {
        return switch (status) {
            case 200, 201 -> decision(body);
            case 401 -> throw new StatusException(UpstreamStatus.credentialRefused(cluster.name()));
            case 403 ->
                throw unanswered(
                        403,
                        "Forbidden",
                        "it answers Fairlead's credential with 403 (expected the right to create"
                                + " subjectaccessreviews.authorization.k8s.io, see fairlead cluster attach "
                                + cluster.name() + " --print-rbac"
                                + option(cluster.base().identity()) + ")");
            default -> throw unanswered(503, "ServiceUnavailable", "it answers " + status + " (expected 201)");
        };
    }

    /** Of the command, for the rights that Fairlead needs where callers are presented so. */
    private static String option(UpstreamIdentity identity) {
        return switch (identity) {
            case UpstreamIdentity.Impersonate _, UpstreamIdentity.Aggregated _ -> "";
            case UpstreamIdentity.RequestHeader _ -> " --identity request-header";
            case UpstreamIdentity.Passthrough _ -> " --identity passthrough";
        };
    }

    private Decision decision(byte[] body) {
        try {
            JsonNode said = Json.read(body).path("status");
            JsonNode allowed = said.path("allowed");
            if (!allowed.isBoolean() && !allowed.isMissingNode()) {
                throw unanswered(502, "BadGateway", "its status.allowed is " + allowed + " (expected true or false)");
            }
            String reason = said.path("reason").asString("");
            return allowed.booleanValue(false)
                    ? new Decision.Allowed()
                    : new Decision.Denied(reason.substring(0, Math.min(reason.length(), REASON_CHARS_MAX)));
        } catch (UnreadableDocumentException _) {
            // The parser would quote it, and the server can answer with what it was sent.
            throw unanswered(502, "BadGateway", "its answer is not JSON");
        }
    }

    private static ObjectNode question(UserInfo caller, RequestInfo asked) {
        ObjectNode review =
                Json.object().put("apiVersion", "authorization.k8s.io/v1").put("kind", "SubjectAccessReview");
        ObjectNode spec = review.putObject("spec").put("user", caller.name()).put("uid", caller.uid());
        ArrayNode groups = spec.putArray("groups");
        caller.groups().forEach(groups::add);
        ObjectNode extra = spec.putObject("extra");
        caller.extra().forEach((key, values) -> values.forEach(extra.withArrayProperty(key)::add));
        if (!asked.resourceRequest()) {
            spec.putObject("nonResourceAttributes").put("path", asked.path()).put("verb", asked.verb());
            return review;
        }
        spec.putObject("resourceAttributes")
                .put("verb", asked.verb())
                .put("group", asked.group())
                .put("version", asked.version())
                .put("resource", asked.resource())
                .put("subresource", asked.subresource())
                .put("namespace", asked.namespace())
                .put("name", asked.name());
        return review;
    }

    private static MutableFields headers() {
        return new MutableFields()
                .set(FieldName.CONTENT_TYPE, JSON)
                .set(FieldName.ACCEPT, JSON)
                .set(FieldName.USER_AGENT, "fairlead/" + FairleadVersion.NUMBER);
    }

    private StatusException unanswered(int code, String reason, String why) {
        return AccessReviews.undecided(cluster.name(), asked, code, reason, why);
    }
}
