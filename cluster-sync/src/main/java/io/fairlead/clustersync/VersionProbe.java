package io.fairlead.clustersync;

import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Asks an API server for its version, which shows whether it is one, and whether it takes the credential. */
final class VersionProbe implements ResponseReceiver {
    private static final String PATH = "/version";
    private static final int BODY_BYTES_MAX = 64 * 1024;

    /**
     * What the server said.
     *
     * @param reachable whether it is a Kubernetes API server that takes the credential
     * @param version its {@code gitVersion}, empty if it is none
     */
    record Answer(Finding reachable, String version) {}

    private final Duration timeout;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;

    private VersionProbe(Duration timeout) {
        this.timeout = timeout;
    }

    /** Completes with what was found out, never exceptionally, on an event loop. */
    static CompletableFuture<Answer> ask(Upstream upstream, @Nullable String bearerToken, Duration timeout) {
        HttpHeaders headers = new DefaultHttpHeaders().set(HttpHeaderNames.ACCEPT, "application/json");
        if (bearerToken != null) {
            headers.set(HttpHeaderNames.AUTHORIZATION, "Bearer " + bearerToken);
        }
        VersionProbe probe = new VersionProbe(timeout);
        Exchange exchange =
                upstream.send(new RequestHead(HttpMethod.GET, PATH, headers, 0), Upstream.Kind.SHORT, null, probe);
        ScheduledFuture<?> deadline =
                exchange.eventLoop().schedule(() -> probe.giveUp(exchange), timeout.toNanos(), TimeUnit.NANOSECONDS);
        probe.answer.whenComplete((found, problem) -> deadline.cancel(false));
        return probe.answer;
    }

    @Override
    public void onHead(int code, HttpHeaders headers) {
        status = code;
    }

    @Override
    public void onData(ByteBuf data) {
        if (body.size() + data.readableBytes() <= BODY_BYTES_MAX) {
            body.writeBytes(ByteBufUtil.getBytes(data));
        }
        data.release();
    }

    @Override
    public void onEnd() {
        answer.complete(judge());
    }

    @Override
    public void onFailure(UpstreamFailure failure) {
        answer.complete(new Answer(Findings.of(failure), ""));
    }

    private void giveUp(Exchange exchange) {
        exchange.cancel();
        answer.complete(new Answer(
                Finding.no("Timeout", "the server did not answer " + PATH + " within " + timeout.toMillis() + " ms"),
                ""));
    }

    private Answer judge() {
        JsonNode document = read();
        if (status != 200) {
            return new Answer(
                    Findings.ofAnswer(status, PATH, document.path("message").asString("")), "");
        }
        String version = document.path("gitVersion").asString("");
        if (version.isEmpty()) {
            return new Answer(
                    Finding.no(
                            "NotKubernetes",
                            "the answer to " + PATH + " has no gitVersion: is it a Kubernetes API server?"),
                    "");
        }
        return new Answer(Finding.yes("Reachable", "the API server answers"), version);
    }

    private JsonNode read() {
        try {
            return Json.read(body.toByteArray());
        } catch (UnreadableDocumentException e) {
            return Json.object();
        }
    }
}
