package io.fairlead.gateway.listen;

import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The client of a connection. */
public final class Peer {
    private final InetSocketAddress address;
    private final String host;
    private final @Nullable String serverName;
    private final List<X509Certificate> certificates;

    /**
     * A client.
     *
     * @param address its address
     * @param serverName the host name that it requested in the handshake (SNI), null if none
     * @param certificates the certificate chain that it presented, leaf first; empty if none. The handshake proves only
     *     possession of the leaf's key; authentication verifies the chain
     */
    public Peer(InetSocketAddress address, @Nullable String serverName, List<X509Certificate> certificates) {
        this.address = address;
        this.host = address.getAddress() == null
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        this.serverName = serverName;
        this.certificates = List.copyOf(certificates);
    }

    public InetSocketAddress address() {
        return address;
    }

    /** The address without the port. */
    public String host() {
        return host;
    }

    public @Nullable String serverName() {
        return serverName;
    }

    public List<X509Certificate> certificates() {
        return certificates;
    }
}
