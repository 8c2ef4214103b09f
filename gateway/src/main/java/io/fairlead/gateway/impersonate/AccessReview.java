package io.fairlead.gateway.impersonate;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.answer.UpstreamStatus;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ClusterName;
import io.fairlead.model.FairleadVersion;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One {@code SubjectAccessReview} (API group {@code authorization.k8s.io}, version {@code v1}) on its way to an attached
 * cluster and back. On the exchange's event loop.
 */
final class AccessReview implements ResponseReceiver {
    private static final String PATH = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    private static final String JSON = "application/json";
    private static final int ANSWER_BYTES_MAX = 64 * 1024;
    private static final int REASON_CHARS_MAX = 1024;
    private static final int RETRY_AFTER_SECONDS = 1;

    private final ClusterEntry.Attached cluster;
    private final CompletableFuture<Decision> decision = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;

    private AccessReview(ClusterEntry.Attached cluster) {
        this.cluster = cluster;
    }

    /**
     * Sends it.
     *
     * @return the cluster's answer, or a {@link StatusException} with the reason for having none; completed within the
     *     timeout
     */
    static CompletableFuture<Decision> send(
            ClusterEntry.Attached cluster, UserInfo caller, RequestInfo asked, Duration timeout) {
        AccessReview review = new AccessReview(cluster);
        byte[] question = Json.write(question(caller, asked));
        RequestHead head = new RequestHead(HttpMethod.POST, PATH, headers().toFields(), question.length);
        Exchange exchange = cluster.base().upstream().send(head, Upstream.Kind.SHORT, null, review);
        exchange.write(Unpooled.wrappedBuffer(question));
        exchange.end();
        review.giveUpAfter(timeout, exchange);
        return review.decision;
    }

    private void giveUpAfter(Duration timeout, Exchange exchange) {
        var timer = exchange.eventLoop()
                .schedule(
                        () -> fail(exchange, 504, "Timeout", "no answer within " + timeout.toSeconds() + " s"),
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS);
        decision.whenComplete((_, _) -> timer.cancel(false));
    }

    private void fail(Exchange exchange, int code, String reason, String why) {
        if (decision.completeExceptionally(unanswered(code, reason, why))) {
            exchange.cancel();
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

    @Override
    public void onHead(int code, MutableFields headers) {
        status = code;
    }

    /** An answer beyond the limit cannot be a valid review, and is dropped. */
    @Override
    public void onData(ByteBuf data) {
        try {
            int room = ANSWER_BYTES_MAX + 1 - body.size();
            data.readBytes(body, Math.min(room, data.readableBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            data.release();
        }
    }

    @Override
    public void onEnd() {
        switch (status) {
            case 200, 201 -> decide();
            case 401 ->
                decision.completeExceptionally(new StatusException(UpstreamStatus.credentialRefused(cluster.name())));
            case 403 ->
                decision.completeExceptionally(unanswered(
                        403,
                        "Forbidden",
                        "it answers Fairlead's credential with 403 (expected the right to create"
                                + " subjectaccessreviews.authorization.k8s.io, see fairlead cluster attach "
                                + cluster.name() + " --print-rbac)"));
            default ->
                decision.completeExceptionally(
                        unanswered(503, "ServiceUnavailable", "it answers " + status + " (expected 201)"));
        }
    }

    @Override
    public void onFailure(UpstreamFailure failure) {
        decision.completeExceptionally(new StatusException(UpstreamStatus.of(cluster.name(), failure)));
    }

    private void decide() {
        if (body.size() > ANSWER_BYTES_MAX) {
            decision.completeExceptionally(
                    unanswered(502, "BadGateway", "its answer is longer than " + ANSWER_BYTES_MAX + " bytes"));
            return;
        }
        try {
            JsonNode said = Json.read(body.toByteArray()).path("status");
            JsonNode allowed = said.path("allowed");
            if (!allowed.isBoolean() && !allowed.isMissingNode()) {
                decision.completeExceptionally(unanswered(
                        502, "BadGateway", "its status.allowed is " + allowed + " (expected true or false)"));
                return;
            }
            String reason = said.path("reason").asString("");
            decision.complete(
                    allowed.booleanValue(false)
                            ? new Decision.Allowed()
                            : new Decision.Denied(reason.substring(0, Math.min(reason.length(), REASON_CHARS_MAX))));
        } catch (UnreadableDocumentException e) {
            decision.completeExceptionally(unanswered(502, "BadGateway", "its answer is not JSON: " + e.getMessage()));
        }
    }

    private StatusException unanswered(int code, String reason, String why) {
        return undecided(cluster.name(), code, reason, why);
    }

    /** The answer to a caller if the cluster does not decide. */
    static StatusException undecided(ClusterName cluster, int code, String reason, String why) {
        return new StatusException(Status.withCause(
                code,
                reason,
                "cluster \"" + cluster + "\" does not say whether the caller may impersonate: " + why,
                "ImpersonationUndecided",
                code == 503 ? RETRY_AFTER_SECONDS : 0));
    }
}
