package io.fairlead.fleet.aggregation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.hosted.ConversionWebhooks;
import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ClusterName;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.UpstreamSpec;
import io.fairlead.net.WholeAnswer;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Calls the webhooks of hosted clusters, where the backends of their APIServices may be, and nowhere else: by a URL, or through a
 * Service of the cluster to its endpoints. Fairlead proves itself to none; it verifies each by the bundle of its configuration, or
 * the system's trust.
 *
 * <p>Threads: any virtual one; calls block.
 */
public final class WebhookCalls implements ConversionWebhooks, AutoCloseable {
    /** As long as kube-apiserver waits for one. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Longer than a call, so that no connection ends under one. */
    private static final Duration IDLE = Duration.ofMinutes(2);

    private static final int CLUSTERS_MAX = 1024;

    private static final String JSON = "application/json";

    private final Informers informers;
    private final UpstreamClient client;
    private final Duration timeout;
    private final Cache<ClusterName, Upstreams> upstreams = Caffeine.newBuilder()
            .maximumSize(CLUSTERS_MAX)
            .expireAfterAccess(IDLE)
            .executor(Runnable::run)
            .<ClusterName, Upstreams>removalListener((_, ofCluster, _) -> close(ofCluster))
            .build();

    /** The connections of one cluster's webhooks: a cluster that names many ends its own alone. */
    private static final class Upstreams implements AutoCloseable {
        private static final int MAX = 4;

        private final UpstreamClient client;
        private final SequencedMap<UpstreamSpec, Upstream> open = new LinkedHashMap<>();
        private boolean isClosed;

        Upstreams(UpstreamClient client) {
            this.client = client;
        }

        synchronized Upstream get(UpstreamSpec spec) throws Failure {
            if (isClosed) {
                throw new Failure("its connections are being closed");
            }
            Upstream known = open.remove(spec);
            Upstream upstream = known == null ? client.open(spec) : known;
            open.putLast(spec, upstream);
            while (open.size() > MAX) {
                open.pollFirstEntry().getValue().close();
            }
            return upstream;
        }

        @Override
        public synchronized void close() {
            isClosed = true;
            open.values().forEach(Upstream::close);
            open.clear();
        }
    }

    /** @param client which connects to backends, and to nothing else */
    public WebhookCalls(Informers informers, UpstreamClient client) {
        this(informers, client, TIMEOUT);
    }

    WebhookCalls(Informers informers, UpstreamClient client, Duration timeout) {
        this.informers = informers;
        this.client = client;
        this.timeout = timeout;
    }

    /**
     * Where a webhook is.
     *
     * @param path of its requests
     */
    private record Place(UpstreamSpec spec, String path) {}

    @Override
    public byte[] call(ClusterName cluster, JsonNode config, byte[] review, int bytesMax)
            throws Failure, InterruptedException {
        try {
            Place place = place(cluster, config);
            Upstream upstream =
                    upstreams.get(cluster, _ -> new Upstreams(client)).get(place.spec());
            MutableFields fields =
                    new MutableFields().set(FieldName.CONTENT_TYPE, JSON).set(FieldName.ACCEPT, JSON);
            RequestHead head = new RequestHead(HttpMethod.POST, place.path(), fields.toFields(), review.length);
            return switch (WholeAnswer.await(WholeAnswer.of(upstream, head, review, timeout, bytesMax))) {
                case WholeAnswer.Answered answer when answer.isSuccess() -> answer.body();
                case WholeAnswer.Answered(int status, byte[] _) ->
                    throw new Failure("it answers " + status + " (expected 200)");
                case WholeAnswer.TooLong _ -> throw new Failure("its answer has more than " + bytesMax + " bytes");
                case WholeAnswer.Failed(UpstreamFailure failure) -> throw new Failure(failure.message());
            };
        } catch (IllegalArgumentException unusable) {
            throw new Failure(String.valueOf(unusable.getMessage()));
        }
    }

    @Override
    public void close() {
        upstreams.invalidateAll();
        upstreams.cleanUp();
    }

    private Place place(ClusterName cluster, JsonNode config) throws Failure, InterruptedException {
        String bundle = config.path("caBundle").asString("");
        String trust = bundle.isEmpty() ? null : new String(Base64.getDecoder().decode(bundle), UTF_8);
        JsonNode service = config.path("service");
        if (!service.isObject()) {
            URI url = URI.create(config.path("url").asString(""));
            String path = URI.create(url.toASCIIString()).getRawPath();
            return new Place(
                    spec(List.of(URI.create("https://" + url.getRawAuthority())), trust, null),
                    path.isEmpty() ? "/" : path);
        }
        ServiceReference reference = new ServiceReference(
                service.path("namespace").asString(""),
                service.path("name").asString(""),
                service.path("port").asInt(0));
        String path = service.path("path").asString("");
        return new Place(
                spec(endpoints(cluster, reference), trust, reference.serverName()), path.isEmpty() ? "/" : path);
    }

    private List<URI> endpoints(ClusterName cluster, ServiceReference service) throws Failure, InterruptedException {
        try {
            return switch (ServiceEndpoints.of(service, informers.calls(cluster))) {
                case ServiceEndpoints.Found(List<URI> urls) -> urls;
                case ServiceEndpoints.Missing(Finding why) -> throw new Failure(why.message());
            };
        } catch (CallFailure failure) {
            throw new Failure(service + " cannot be found: " + failure.message());
        }
    }

    private static UpstreamSpec spec(List<URI> urls, @Nullable String trust, @Nullable String serverName) {
        return new UpstreamSpec(urls, trust, serverName, null, null);
    }

    private static void close(@Nullable Upstreams ofCluster) {
        if (ofCluster != null) {
            ofCluster.close();
        }
    }
}
