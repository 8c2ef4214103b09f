package io.fairlead.gateway.edge;

import io.fairlead.config.Configuration;
import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.publication.TargetNamespaces;
import io.fairlead.gateway.admin.AdminEndpoints;
import io.fairlead.gateway.admin.Health;
import io.fairlead.gateway.audit.Audits;
import io.fairlead.gateway.authn.TokenAuthenticator;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.gateway.listen.TlsMaterial;
import io.fairlead.gateway.pin.PinCheck;
import io.fairlead.gateway.route.AggregatedBackends;
import io.fairlead.gateway.route.TypeIndex;
import io.fairlead.gateway.select.Selector;
import io.fairlead.gateway.tracing.Tracing;
import io.fairlead.gateway.usage.Usage;
import io.fairlead.http.Transport;
import io.fairlead.index.history.Histories;
import io.fairlead.model.ByteBudget;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an {@link EdgeServer}.
 *
 * @param transport the socket transport
 * @param loops the event loops, of that transport; shared with the upstreams, so that a proxied request stays on one
 *     thread; closed by their creator
 * @param bindAddress where to listen; port 0 picks a free one
 * @param tls the first TLS material; {@link EdgeServer#reload} replaces it
 * @param tokens the authenticators of bearer tokens, in order
 * @param access who may enter which cluster
 * @param selector which cluster a request is for
 * @param directory the registered clusters
 * @param index what they serve
 * @param backends of the APIServices of hosted clusters
 * @param histories what resourceVersions that requests name are to the histories of their clusters
 * @param pins the digests that their types must have
 * @param namespaces where users of other clusters may create what is published there
 * @param audits has requests recorded; null if none is
 * @param tracing has requests traced; null if none is
 * @param usage counts what callers have under way
 * @param own the API below {@code /fairlead/v1/}
 * @param health the state of {@code /readyz}; a drain makes it fail
 * @param versionJson the body of {@code /version}, in the shape of Kubernetes' {@code version.Info}
 * @param configuration its limits, how long requests wait for what is unknown, and how many refused ones are logged
 * @param buffers the process's budget for requests and answers in the heap
 * @param metrics where request and connection metrics go; served below {@code /metrics} to callers that may read them
 */
public record EdgeParts(
        Transport transport,
        EventLoopGroup loops,
        InetSocketAddress bindAddress,
        TlsMaterial tls,
        List<TokenAuthenticator> tokens,
        ClusterAccess access,
        Selector selector,
        ClusterDirectory directory,
        TypeIndex index,
        AggregatedBackends backends,
        Histories histories,
        PinCheck pins,
        TargetNamespaces namespaces,
        @Nullable Audits audits,
        @Nullable Tracing tracing,
        Usage usage,
        AdminEndpoints own,
        Health health,
        byte[] versionJson,
        Configuration configuration,
        ByteBudget buffers,
        PrometheusMeterRegistry metrics) {
    public EdgeParts {
        tokens = List.copyOf(tokens);
    }
}
