package io.fairlead.fleet;

import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.model.FairleadVersion;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.WholeAnswer;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests another token of a ServiceAccount from a cluster, with the present one. */
final class TokenRequest {
    private static final int ANSWER_BYTES_MAX = 64 * 1024;
    private static final int MESSAGE_CHARS_MAX = 512;
    private static final String JSON = "application/json";

    /** A JWT as allowed in a header (RFC 7515 section 7.1). */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");

    /** The cluster's answer. */
    sealed interface Outcome {}

    /** Another token. */
    record Issued(String token) implements Outcome {
        /** Omits it. */
        @Override
        public String toString() {
            return "Issued[]";
        }
    }

    /**
     * None.
     *
     * @param why for people, without any credential
     */
    record Refused(String why) implements Outcome {}

    private final BoundToken asked;
    private final String text;

    private TokenRequest(BoundToken asked, String text) {
        this.asked = asked;
        this.text = text;
    }

    /**
     * Requests one with the same lifetime.
     *
     * @param text the present token, which must not reach a log through the server's answer
     * @return completes on an event loop, never exceptionally
     */
    static CompletableFuture<Outcome> send(Upstream upstream, BoundToken token, String text, Duration timeout) {
        TokenRequest request = new TokenRequest(token, text);
        byte[] question = Json.write(question(token));
        RequestHead head =
                new RequestHead(HttpMethod.POST, path(token), headers().toFields(), question.length);
        return WholeAnswer.of(upstream, head, question, timeout, ANSWER_BYTES_MAX)
                .thenApply(request::judge);
    }

    private Outcome judge(WholeAnswer.Outcome outcome) {
        return switch (outcome) {
            case WholeAnswer.Answered(int status, byte[] body) -> judge(status, body);
            case WholeAnswer.TooLong _ -> new Refused("its answer is longer than " + ANSWER_BYTES_MAX + " bytes");
            case WholeAnswer.Failed(UpstreamFailure failure) -> new Refused(failure.message());
        };
    }

    private Outcome judge(int status, byte[] body) {
        JsonNode answer;
        try {
            answer = Json.read(body);
        } catch (UnreadableDocumentException notJson) {
            return new Refused("it answers " + status + " (expected 201)");
        }
        String token = answer.path("status").path("token").asString("");
        if (status != 201) {
            String message = answer.path("message").asString("").replace(text, "(the token)");
            return new Refused("it answers " + status + ": "
                    + message.substring(0, Math.min(message.length(), MESSAGE_CHARS_MAX)));
        }
        return isOne(token)
                ? new Issued(token)
                : new Refused(
                        "it answers without a token of " + asked.namespace() + "/" + asked.account() + " that ends");
    }

    private boolean isOne(String token) {
        return TOKEN.matcher(token).matches()
                && BoundToken.of(token).filter(asked::isOfSameAccount).isPresent();
    }

    private static String path(BoundToken token) {
        return "/api/v1/namespaces/" + token.namespace() + "/serviceaccounts/" + token.account() + "/token";
    }

    private static ObjectNode question(BoundToken token) {
        ObjectNode request =
                Json.object().put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
        request.putObject("spec").put("expirationSeconds", token.lifetime().toSeconds());
        return request;
    }

    /** The upstream adds the credential. */
    private static MutableFields headers() {
        return new MutableFields()
                .set(FieldName.CONTENT_TYPE, JSON)
                .set(FieldName.ACCEPT, JSON)
                .set(FieldName.USER_AGENT, "fairlead/" + FairleadVersion.NUMBER);
    }
}
