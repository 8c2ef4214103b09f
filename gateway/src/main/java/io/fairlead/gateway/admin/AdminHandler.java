package io.fairlead.gateway.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.authn.Authenticated;
import io.fairlead.gateway.enter.Entered;
import io.fairlead.gateway.inprocess.HostedHandler;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.select.Target;
import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ClusterName;
import io.fairlead.model.QueryParameters;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.function.Predicate;

/** Answers requests to the gateway itself. */
public final class AdminHandler {
    /** The check of a cluster that waits. */
    private static final String AWAITED = "required-apiservices";

    private final Probes probes;
    private final byte[] versionJson;
    private final PrometheusMeterRegistry metrics;
    private final AdminEndpoints endpoints;
    private final HostedHandler hosting;
    private final Predicate<ClusterName> isWaiting;

    /** @param isWaiting whether a cluster waits for APIServices before it is available */
    public AdminHandler(
            Probes probes,
            byte[] versionJson,
            PrometheusMeterRegistry metrics,
            AdminEndpoints endpoints,
            HostedHandler hosting,
            Predicate<ClusterName> isWaiting) {
        this.probes = probes;
        this.versionJson = versionJson.clone();
        this.metrics = metrics;
        this.endpoints = endpoints;
        this.hosting = hosting;
        this.isWaiting = isWaiting;
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
        reply.whole(answer.code(), headers(), answer.text().getBytes(UTF_8));
    }

    /**
     * Answers {@code /readyz} of a cluster that waits for APIServices, in place of the cluster, which knows nothing of that. It
     * is answered by the cluster as soon as it waits no more, and if the check is excluded.
     *
     * @return whether it is answered
     */
    public boolean answersFor(Entered request, Reply reply) {
        Target.Cluster target = request.target();
        boolean isAnswered = target.path().equals("/readyz")
                && isRead(request.described().received())
                && isWaiting.test(target.name())
                && !QueryParameters.of(target.query())
                        .all()
                        .getOrDefault("exclude", List.of())
                        .contains(AWAITED);
        if (isAnswered) {
            String text = "[-]" + AWAITED
                    + " failed: the condition Available of this Cluster says why\nreadyz check failed\n";
            reply.eventLoop().execute(() -> reply.whole(500, headers(), text.getBytes(UTF_8)));
        }
        return isAnswered;
    }

    /** Of a probe's answer. */
    private static MutableFields headers() {
        return headers("text/plain; charset=utf-8").set(FieldName.X_CONTENT_TYPE_OPTIONS, "nosniff");
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
        if (!isRead(received)) {
            throw new StatusException(Status.of(
                    405,
                    "MethodNotAllowed",
                    "method " + received.method() + " on " + target.path() + " (expected GET)"));
        }
    }

    private static boolean isRead(Received received) {
        return received.method().equals(HttpMethod.GET) || received.method().equals(HttpMethod.HEAD);
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
