package io.fairlead.gateway.listen;

import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The client of a connection.
 *
 * @param address its address
 * @param serverName the host name that it requested in the handshake (SNI), null if none
 * @param certificates the certificate chain that it presented, leaf first; empty if none. The handshake proves only
 *     possession of the leaf's key; authentication verifies the chain
 */
public record Peer(InetSocketAddress address, @Nullable String serverName, List<X509Certificate> certificates) {
    public Peer {
        certificates = List.copyOf(certificates);
    }

    /** The address without the port. */
    public String host() {
        return address.getAddress() == null
                ? address.getHostString()
                : address.getAddress().getHostAddress();
    }
}
