package io.fairlead.gateway.authn;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.model.FairleadVersion;
import io.fairlead.model.UserInfo;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Sender;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.WholeAnswer;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One {@code TokenReview} (API group {@code authentication.k8s.io}, version {@code v1}) of an attached cluster. */
final class TokenReview {
    private static final String PATH = "/apis/authentication.k8s.io/v1/tokenreviews";
    private static final String JSON = "application/json";
    private static final int ANSWER_BYTES_MAX = 64 * 1024;

    private TokenReview() {}

    /** The cluster does not say. */
    static final class UnansweredException extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        /** With the reason, without the token. */
        UnansweredException(String why) {
            super(why);
        }
    }

    /**
     * Sends it, with Fairlead's own credential. Where the cluster is then sent the token, no other servers are asked than those.
     *
     * @return whose the token is, empty if the cluster accepts it from no user; completed within the timeout, exceptionally with an
     *     {@link UnansweredException} if it does not say
     */
    static CompletableFuture<Optional<UserInfo>> send(ClusterEntry.Attached cluster, String token, Duration timeout) {
        ObjectNode review =
                Json.object().put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenReview");
        review.putObject("spec").put("token", token);
        byte[] question = Json.write(review);
        MutableFields fields = new MutableFields()
                .set(FieldName.CONTENT_TYPE, JSON)
                .set(FieldName.ACCEPT, JSON)
                .set(FieldName.USER_AGENT, "fairlead/" + FairleadVersion.NUMBER);
        RequestHead head = new RequestHead(
                HttpMethod.POST,
                PATH,
                fields.toFields(),
                question.length,
                Sender.OWN,
                cluster.base().pinned());
        return WholeAnswer.of(cluster.base().upstream(), head, question, timeout, ANSWER_BYTES_MAX)
                .thenCompose(TokenReview::judge);
    }

    private static CompletableFuture<Optional<UserInfo>> judge(WholeAnswer.Outcome outcome) {
        return switch (outcome) {
            case WholeAnswer.Answered(int status, byte[] body) when status == 200 || status == 201 -> user(body);
            case WholeAnswer.Answered(int status, byte[] _) ->
                unanswered("it answers " + status
                        + (status == 403
                                ? " (expected the right to create tokenreviews.authentication.k8s.io)"
                                : " (expected 201)"));
            case WholeAnswer.TooLong _ -> unanswered("its answer is longer than " + ANSWER_BYTES_MAX + " bytes");
            case WholeAnswer.Failed(UpstreamFailure failure) -> unanswered(failure.message());
        };
    }

    private static CompletableFuture<Optional<UserInfo>> user(byte[] body) {
        JsonNode status;
        try {
            status = Json.read(body).path("status");
        } catch (UnreadableDocumentException _) {
            return unanswered("its answer is not JSON"); // The parser would quote it, and the token if it is that.
        }
        JsonNode user = status.path("user");
        String name = user.path("username").asString("");
        if (!status.path("authenticated").booleanValue(false) || name.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        Map<String, List<String>> extra = new HashMap<>();
        user.path("extra")
                .properties()
                .forEach(one -> extra.put(one.getKey().toLowerCase(Locale.ROOT), texts(one.getValue())));
        return CompletableFuture.completedFuture(
                Optional.of(new UserInfo(name, user.path("uid").asString(""), texts(user.path("groups")), extra)));
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.asString("")));
        return texts;
    }

    private static CompletableFuture<Optional<UserInfo>> unanswered(String why) {
        return CompletableFuture.failedFuture(new UnansweredException(why));
    }
}
