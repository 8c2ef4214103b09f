package io.fairlead.fleet.aggregation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ObjectCalls;
import io.fairlead.schema.json.Json;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where a Service leads, by the cluster's own Services and EndpointSlices: nothing in front of a hosted cluster
 * knows what its cluster IPs lead to. Decides as kube-aggregator does ({@code remote_available_controller.go}, and
 * {@code proxy.ResolveEndpoint} for aggregators that route to endpoints).
 */
sealed interface ServiceEndpoints {
    /** The most addresses of one service that are used. */
    int ADDRESSES_MAX = 16;

    /** The most that is read of Services and EndpointSlices of one APIService. */
    int BYTES_MAX = 1 << 20;

    /** There are some. */
    record Found(List<URI> urls) implements ServiceEndpoints {}

    /** There are none, and why: a finding of the condition {@code Available}. */
    record Missing(Finding finding) implements ServiceEndpoints {}

    /** Asks the cluster. */
    static ServiceEndpoints of(ServiceReference service, ObjectCalls calls) throws InterruptedException {
        String namespace = "/namespaces/" + encoded(service.namespace());
        JsonNode found;
        try {
            found = Json.read(calls.read("/api/v1" + namespace + "/services/" + encoded(service.name()), BYTES_MAX));
        } catch (CallFailure failure) {
            return failure.code() == 404
                    ? no("ServiceNotFound", service + " is not present")
                    : unknown("ServiceAccessError", service, failure);
        }
        if (found.at("/spec/type").asString("").equals("ExternalName")) {
            return at(found.at("/spec/externalName").asString(""), service.port());
        }
        Optional<String> portName = portName(found, service.port());
        if (portName.isEmpty()) {
            return no("ServicePortError", service + " is not listening on port " + service.port());
        }
        try {
            JsonNode slices = Json.read(calls.read(
                    "/apis/discovery.k8s.io/v1" + namespace + "/endpointslices?labelSelector="
                            + encoded("kubernetes.io/service-name=" + service.name()),
                    BYTES_MAX));
            return in(slices.path("items"), service, portName.get());
        } catch (CallFailure failure) {
            return unknown("EndpointsAccessError", service, failure);
        }
    }

    private static ServiceEndpoints in(JsonNode slices, ServiceReference service, String portName) {
        if (slices.isEmpty()) {
            return no("EndpointsNotFound", "cannot find endpointslices for " + service);
        }
        Set<URI> urls = new LinkedHashSet<>();
        for (JsonNode slice : slices) {
            int port = port(slice, portName);
            if (port > 0) {
                addReady(slice, port, urls);
            }
        }
        return urls.isEmpty()
                ? no(
                        "MissingEndpoints",
                        "endpointslices for " + service + " have no addresses with port name \"" + portName + "\"")
                : new Found(List.copyOf(new ArrayList<>(urls).subList(0, Math.min(urls.size(), ADDRESSES_MAX))));
    }

    private static Optional<String> portName(JsonNode found, int port) {
        return found.at("/spec/ports")
                .valueStream()
                .filter(each -> each.path("port").asInt(0) == port)
                .map(each -> each.path("name").asString(""))
                .findFirst();
    }

    private static int port(JsonNode slice, String portName) {
        return slice.path("ports")
                .valueStream()
                .filter(each -> each.path("name").asString("").equals(portName))
                .mapToInt(each -> each.path("port").asInt(0))
                .filter(port -> port > 0)
                .findFirst()
                .orElse(0);
    }

    /** An endpoint that does not say whether it is ready is. */
    private static void addReady(JsonNode slice, int port, Set<URI> urls) {
        for (JsonNode endpoint : slice.path("endpoints")) {
            if (!endpoint.at("/conditions/ready").asBoolean(true)) {
                continue;
            }
            for (JsonNode address : endpoint.path("addresses")) {
                @Nullable URI url = url(address.asString(""), port);
                if (url != null) {
                    urls.add(url);
                }
            }
        }
    }

    private static ServiceEndpoints at(String host, int port) {
        URI url = url(host, port);
        return url == null
                ? no("FailedDiscoveryCheck", "externalName: \"" + host + "\" (expected a host name)")
                : new Found(List.of(url));
    }

    /** Null if there is no host of this name. */
    private static @Nullable URI url(String host, int port) {
        String written = host.indexOf(':') < 0 ? host : "[" + host + "]";
        try {
            if (host.indexOf(':') >= 0) {
                var _ = InetAddress.ofLiteral(host);
            }
            URI url = new URI("https://" + written + ":" + port);
            return written.equals(url.getHost()) && url.getPort() == port ? url : null;
        } catch (URISyntaxException | IllegalArgumentException noHost) {
            return null;
        }
    }

    private static Missing no(String reason, String message) {
        return new Missing(Finding.no(reason, message));
    }

    private static Missing unknown(String reason, ServiceReference service, CallFailure failure) {
        return new Missing(Finding.unknown(reason, service + " cannot be checked due to: " + failure.getMessage()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}
