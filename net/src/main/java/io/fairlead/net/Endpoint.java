package io.fairlead.net;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import io.fairlead.http.Via;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One address of an upstream with its credential, its health, and a hint: its protocol. It belongs
 * to one specification, so that the credential never reaches the endpoints of another.
 *
 * <p>Thread-safe.
 */
final class Endpoint implements Hop {
    private static final int HTTPS_PORT = 443;
    private static final int PORT_MAX = 65_535;
    private static final String REMOTE_USER = "X-Remote-User";

    /** What ALPN chose last time; null before the first connection. */
    enum Protocol {
        HTTP_1_1,
        HTTP_2
    }

    private final URI uri;
    private final String basePath;
    private final String authority;
    private final Map<Sender, Fields> own = new EnumMap<>(Sender.class);
    private final Map<Sender, Fields> hostAndOwn = new EnumMap<>(Sender.class);
    private final EndpointHealth health;
    private volatile @Nullable Protocol protocol;

    /**
     * @param spec which has this side's credential
     * @param via who sends requests
     */
    Endpoint(URI uri, UpstreamSpec spec, Via via, EndpointHealth health) {
        if (!"https".equals(uri.getScheme()) || uri.getHost() == null) {
            throw new IllegalArgumentException("endpoint: \"" + uri + "\" (expected https://host[:port][/path])");
        }
        if (uri.getPort() > PORT_MAX || uri.getPort() == 0) {
            throw new IllegalArgumentException(
                    "endpoint: \"" + uri + "\" (expected a port from 1 to " + PORT_MAX + ")");
        }
        this.uri = uri;
        this.basePath = basePath(uri);
        this.authority = authority(uri);
        for (Sender sender : Sender.values()) {
            Fields fields =
                    credential(spec, sender).toMutable().addAll(via.fields()).toFields();
            own.put(sender, fields);
            hostAndOwn.put(
                    sender,
                    new MutableFields()
                            .add(FieldName.HOST, authority)
                            .addAll(fields)
                            .toFields());
        }
        this.health = health;
    }

    /** The host without the brackets of an IPv6 literal. */
    @Override
    public String host() {
        return withoutBrackets(uri.getHost());
    }

    @Override
    public int port() {
        return uri.getPort() < 0 ? HTTPS_PORT : uri.getPort();
    }

    /** The value of {@code Host}. */
    String authority() {
        return authority;
    }

    /** What every request of a sender has: this side's credential, unless it is the caller's, and who sends it. */
    Fields own(Sender sender) {
        return Objects.requireNonNull(own.get(sender));
    }

    /** {@code Host} and what every request of a sender has. */
    Fields hostAndOwn(Sender sender) {
        return Objects.requireNonNull(hostAndOwn.get(sender));
    }

    /** Host and port, for {@code CONNECT}. */
    String hostAndPort() {
        return uri.getHost() + ":" + port();
    }

    /** The target of a request on this server: below the path of its URL. */
    String target(String target) {
        return basePath + target;
    }

    @Nullable
    Protocol protocol() {
        return protocol;
    }

    void connected(Protocol negotiated) {
        protocol = negotiated;
        health.connected();
    }

    /** Whether requests may go to it, and what is told of it. */
    EndpointHealth health() {
        return health;
    }

    EndpointReport report() {
        return new EndpointReport(uri.toString(), health.verdict());
    }

    /** Scheme, host and port, as failures name it; nothing else of the URL. */
    @Override
    public String toString() {
        return "https://" + authority();
    }

    /** A URL's host in the form for resolution. */
    static String withoutBrackets(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static String authority(URI uri) {
        return uri.getPort() < 0 || uri.getPort() == HTTPS_PORT ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
    }

    /** A front proxy is no user of its server unless it names one, for its own requests as well. */
    private static Fields credential(UpstreamSpec spec, Sender sender) {
        MutableFields fields = new MutableFields();
        if (sender != Sender.CALLER && spec.bearerToken() != null) {
            fields.add(FieldName.AUTHORIZATION, "Bearer " + spec.bearerToken());
        }
        if (sender == Sender.OWN && spec.ownUser() != null) {
            fields.add(REMOTE_USER, spec.ownUser());
        }
        return fields.toFields();
    }

    private static String basePath(URI uri) {
        String path = uri.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
