package io.fairlead.gateway;

import io.fairlead.config.Configuration;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.net.address.Cidr;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** The allowed addresses of attached clusters. */
final class UpstreamAddresses {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private UpstreamAddresses() {}

    /** As configured; the gateway's own listeners, including later ones, are never allowed. */
    static AddressPolicy policy(Configuration configuration, List<InetSocketAddress> ownListeners) {
        return new AddressPolicy(
                configuration.upstream().allowedAddresses().stream()
                        .map(Cidr::parse)
                        .toList(),
                configuration.upstream().deniedAddresses().stream()
                        .map(Cidr::parse)
                        .toList(),
                configuration.allowsLoopbackUpstreams(),
                () -> ownListeners);
    }

    /** Of the backends that APIServices of hosted clusters lead to: nothing but what is configured for them. */
    static AddressPolicy ofBackends(Configuration configuration, List<InetSocketAddress> ownListeners) {
        return AddressPolicy.only(
                configuration.hosted().backendAddresses().stream()
                        .map(Cidr::parse)
                        .toList(),
                "hosted.backendAddresses",
                configuration.upstream().deniedAddresses().stream()
                        .map(Cidr::parse)
                        .toList(),
                () -> ownListeners);
    }

    /**
     * Why an endpoint or a proxy is refused before connecting. Names are checked then, since only resolution gives
     * their addresses.
     */
    static Optional<String> refusal(AddressPolicy policy, URI url) {
        String host = url.getHost();
        String literal = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        try {
            int defaultPort = "http".equals(url.getScheme()) ? HTTP_PORT : HTTPS_PORT;
            int port = url.getPort() < 0 ? defaultPort : url.getPort();
            return policy.refusal(new InetSocketAddress(InetAddress.ofLiteral(literal), port));
        } catch (IllegalArgumentException name) {
            return Optional.empty();
        }
    }
}
