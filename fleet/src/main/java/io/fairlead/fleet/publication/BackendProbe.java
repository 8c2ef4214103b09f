package io.fairlead.fleet.publication;

import io.fairlead.clustersync.DocumentRequest;
import io.fairlead.clustersync.DocumentRequest.Outcome;
import io.fairlead.fleet.publication.Door.Prober;
import io.fairlead.fleet.publication.Publication.Backend;
import io.fairlead.hosted.OwnUser;
import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.model.GroupVersion;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.UpstreamSpec;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Asks an endpoint for a published version, as the aggregation layer of a target does: over a connection of its own, by the
 * name of the Service. A redirect is not followed.
 *
 * <p>Threads: virtual ones; calls block.
 */
public final class BackendProbe implements Probe {
    /** As long as kube-aggregator waits for an answer (remote available controller). */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final int BODY_BYTES_MAX = 4 * 1024 * 1024;
    static final String FAILED = "FailedDiscoveryCheck";

    private final UpstreamClient client;

    /** @param client which may reach the addresses of backends, Fairlead's own among them */
    public BackendProbe(UpstreamClient client) {
        this.client = client;
    }

    @Override
    public void probe(Backend backend, String address, GroupVersion version, String caBundle, @Nullable Prober prober)
            throws StepFailure, InterruptedException {
        String host = backend.isVersion6() ? "[" + address + "]" : address;
        URI endpoint = URI.create("https://" + host + ":" + backend.targetPort());
        MutableFields headers = new MutableFields().set(FieldName.ACCEPT, "application/json");
        if (prober != null) {
            headers.set(
                    FieldName.of(Prober.USER_HEADER), OwnUser.of("publication").name());
        }
        RequestHead head = new RequestHead(HttpMethod.GET, version.path(), headers.toFields(), 0);
        try (Upstream upstream = client.open(new UpstreamSpec(
                List.of(endpoint),
                caBundle,
                backend.serverName(),
                prober == null ? null : prober.certificateChain(),
                prober == null ? null : prober.privateKey()))) {
            Outcome outcome = DocumentRequest.await(upstream, head, TIMEOUT, BODY_BYTES_MAX);
            switch (outcome) {
                case Outcome.Answered(int status, JsonNode document) -> require(address, version, status, document);
                case Outcome.Failed(UpstreamFailure failure) ->
                    throw new StepFailure(
                            FAILED, address + " does not prove that it is the source: " + failure.withoutAddress());
            }
        } catch (IllegalArgumentException unusable) {
            throw new StepFailure(FAILED, String.valueOf(unusable.getMessage()));
        }
    }

    private static void require(String address, GroupVersion version, int status, JsonNode document)
            throws StepFailure {
        if (status < 200 || status >= 300) {
            throw new StepFailure(
                    FAILED, address + " answers " + version.path() + " with " + status + " (expected 2xx)");
        }
        boolean isDiscovery = document.path("kind").asString("").equals("APIResourceList")
                && document.path("groupVersion").asString("").equals(version.apiVersion());
        if (!isDiscovery) {
            throw new StepFailure(
                    FAILED,
                    address + " answers " + version.path() + " with " + status + " and no APIResourceList of "
                            + version.apiVersion());
        }
    }
}
