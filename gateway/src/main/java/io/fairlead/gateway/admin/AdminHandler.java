package io.fairlead.gateway.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.authn.Authenticated;
import io.fairlead.gateway.inprocess.HostedHandler;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.select.Target;
import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.model.QueryParameters;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** Answers requests to the gateway itself. */
public final class AdminHandler {
    private final Probes probes;
    private final byte[] versionJson;
    private final PrometheusMeterRegistry metrics;
    private final AdminEndpoints endpoints;
    private final HostedHandler hosting;

    public AdminHandler(
            Probes probes,
            byte[] versionJson,
            PrometheusMeterRegistry metrics,
            AdminEndpoints endpoints,
            HostedHandler hosting) {
        this.probes = probes;
        this.versionJson = versionJson.clone();
        this.metrics = metrics;
        this.endpoints = endpoints;
        this.hosting = hosting;
    }

    /**
     * Answers a probe or the version, without authentication; on the event loop.
     *
     * @throws StatusException with 405 for another method than GET and HEAD
     */
    public void probe(Received received, Target.Gateway target, Reply reply) {
        requireRead(received, target);
        if (target.path().equals("/version")) {
            reply.whole(200, headers("application/json"), versionJson.clone());
            return;
        }
        Probes.Answer answer = probes.answer(target.path(), target.query());
        MutableFields headers = headers("text/plain; charset=utf-8").set(FieldName.X_CONTENT_TYPE_OPTIONS, "nosniff");
        reply.whole(answer.code(), headers, answer.text().getBytes(UTF_8));
    }

    /**
     * Answers with the metrics, if the caller may read them; collects for a while, on a virtual thread.
     *
     * @throws StatusException with 405 for another method than GET and HEAD
     */
    public void metrics(Received received, Target.Gateway target, Reply reply) {
        requireRead(received, target);
        Scrape scrape = Scrape.of(metrics, received.headers().get(FieldName.ACCEPT));
        reply.eventLoop().execute(() -> reply.whole(200, headers(scrape.contentType()), scrape.body()));
    }

    private static void requireRead(Received received, Target.Gateway target) {
        if (!received.method().equals(HttpMethod.GET) && !received.method().equals(HttpMethod.HEAD)) {
            throw new StatusException(Status.of(
                    405,
                    "MethodNotAllowed",
                    "method " + received.method() + " on " + target.path() + " (expected GET)"));
        }
    }

    /** Answers a request without a body to the gateway's own API; blocks, on a virtual thread. */
    public void api(Authenticated request, Target.Gateway target, Reply reply) {
        Received received = request.described().received();
        hosting.write(
                endpoints.serve(new AdminRequest(
                        request.identity(),
                        received.method().name(),
                        target.path(),
                        QueryParameters.of(target.query()).all(),
                        HostedHandler.headers(received))),
                reply);
    }

    private static MutableFields headers(String contentType) {
        return new MutableFields()
                .set(FieldName.CONTENT_TYPE, contentType)
                .set(FieldName.CACHE_CONTROL, "no-cache, private");
    }
}
