package io.fairlead.fleet;

import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.model.FairleadVersion;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests another token of a ServiceAccount from a cluster, with the present one. On the exchange's event loop. */
final class TokenRequest implements ResponseReceiver {
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

    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final BoundToken asked;
    private final String text;
    private int status;

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
        Exchange exchange = upstream.send(head, Upstream.Kind.SHORT, null, request);
        exchange.write(Unpooled.wrappedBuffer(question));
        exchange.end();
        var timer = exchange.eventLoop()
                .schedule(
                        () -> request.refuse("it did not answer within " + timeout.toMillis() + " ms"),
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS);
        return request.outcome.whenComplete((_, _) -> {
            timer.cancel(false);
            exchange.cancel();
        });
    }

    @Override
    public void onHead(int code, MutableFields headers) {
        status = code;
    }

    @Override
    public void onData(ByteBuf data) {
        try {
            if (body.size() + data.readableBytes() > ANSWER_BYTES_MAX) {
                refuse("its answer is longer than " + ANSWER_BYTES_MAX + " bytes");
            } else {
                body.writeBytes(ByteBufUtil.getBytes(data));
            }
        } finally {
            data.release();
        }
    }

    @Override
    public void onEnd() {
        JsonNode answer;
        try {
            answer = Json.read(body.toByteArray());
        } catch (UnreadableDocumentException notJson) {
            refuse("it answers " + status + " (expected 201)");
            return;
        }
        String token = answer.path("status").path("token").asString("");
        if (status != 201) {
            String message = answer.path("message").asString("").replace(text, "(the token)");
            refuse("it answers " + status + ": " + message.substring(0, Math.min(message.length(), MESSAGE_CHARS_MAX)));
        } else if (!isOne(token)) {
            refuse("it answers without a token of " + asked.namespace() + "/" + asked.account() + " that ends");
        } else {
            outcome.complete(new Issued(token));
        }
    }

    @Override
    public void onFailure(UpstreamFailure failure) {
        refuse(failure.message());
    }

    private boolean isOne(String token) {
        return TOKEN.matcher(token).matches()
                && BoundToken.of(token).filter(asked::isOfSameAccount).isPresent();
    }

    private void refuse(String why) {
        outcome.complete(new Refused(why));
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
