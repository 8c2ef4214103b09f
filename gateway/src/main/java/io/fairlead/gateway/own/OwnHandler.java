package io.fairlead.gateway.own;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.authn.Authenticated;
import io.fairlead.gateway.hosting.CollectedBody;
import io.fairlead.gateway.hosting.HostedHandler;
import io.fairlead.gateway.hosting.QueryText;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.select.Target;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Answers what is addressed to the gateway itself. */
public final class OwnHandler {
    private final Probes probes;
    private final byte[] versionJson;
    private final OwnEndpoints endpoints;
    private final HostedHandler hosting;
    private final int bodyBytesMax;

    public OwnHandler(
            Probes probes, byte[] versionJson, OwnEndpoints endpoints, HostedHandler hosting, int bodyBytesMax) {
        this.probes = probes;
        this.versionJson = versionJson.clone();
        this.endpoints = endpoints;
        this.hosting = hosting;
        this.bodyBytesMax = bodyBytesMax;
    }

    /**
     * Answers a probe or the version, to anybody; on the event loop.
     *
     * @throws StatusException with 405 for another method than GET and HEAD
     */
    public void probe(Received received, Target.Gateway target, Reply reply) {
        if (!received.method().equals(HttpMethod.GET) && !received.method().equals(HttpMethod.HEAD)) {
            throw new StatusException(Status.of(
                    405,
                    "MethodNotAllowed",
                    "method " + received.method() + " on " + target.path() + " (expected GET)"));
        }
        if (target.path().equals("/version")) {
            reply.whole(200, headers("application/json"), versionJson.clone());
            return;
        }
        Map<String, List<String>> query = QueryText.parameters(target.query());
        Probes.Answer answer = probes.answer(
                target.path(), query.containsKey("verbose"), new HashSet<>(query.getOrDefault("exclude", List.of())));
        HttpHeaders headers = headers("text/plain; charset=utf-8").set("x-content-type-options", "nosniff");
        reply.whole(answer.code(), headers, answer.text().getBytes(UTF_8));
    }

    /** Answers a request to the gateway's own API; blocks, on a virtual thread. */
    public void api(Authenticated request, Target.Gateway target, Reply reply) {
        Received received = request.described().received();
        byte[] body = CollectedBody.of(received, reply, bodyBytesMax);
        hosting.write(
                endpoints.serve(new OwnRequest(
                        request.identity(),
                        received.method().name(),
                        target.path(),
                        QueryText.parameters(target.query()),
                        HostedHandler.headers(received),
                        body)),
                reply);
    }

    private static HttpHeaders headers(String contentType) {
        return DefaultHttpHeadersFactory.headersFactory()
                .newHeaders()
                .set(HttpHeaderNames.CONTENT_TYPE, contentType)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-cache, private");
    }
}
