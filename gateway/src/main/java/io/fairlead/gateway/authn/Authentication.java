package io.fairlead.gateway.authn;

import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.gateway.listen.Peer;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.publication.Arrival;
import io.fairlead.gateway.publication.Publication;
import io.fairlead.http.FieldName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the caller: by its client certificate, then by its bearer token; the first accepted credential decides. On
 * the connections of publications only the headers of the front proxy count, and on all others they never do.
 *
 * <p>Never blocks; any thread.
 */
public final class Authentication {
    private static final String BEARER = "Bearer ";

    private final List<TokenAuthenticator> tokens;
    private final FailedAttempts failedAttempts;
    private final LimitMeter meter;
    private volatile ClientCertificates certificates;

    public Authentication(
            ClientCertificates certificates,
            List<TokenAuthenticator> tokens,
            FailedAttempts failedAttempts,
            LimitMeter meter) {
        this.certificates = certificates;
        this.tokens = List.copyOf(tokens);
        this.failedAttempts = failedAttempts;
        this.meter = meter;
    }

    /** Verifies client certificates with other CAs from now on. */
    public void trust(ClientCertificates newCertificates) {
        certificates = newCertificates;
    }

    /** Whether the request has any credential. */
    public static boolean isAnonymous(Described described) {
        Received received = described.received();
        return received.peer().certificates().isEmpty() && !received.headers().contains(FieldName.AUTHORIZATION);
    }

    /**
     * Authenticates.
     *
     * @throws StatusException with 401 if there is no credential or none is accepted, with 429 after too many failures
     */
    public Authenticated authenticate(Described described) {
        Identity identity = identify(described);
        if (identity == null) {
            throw refusal(described.received().peer(), isAnonymous(described));
        }
        return new Authenticated(described, identity);
    }

    /**
     * Why {@link #authenticate} accepted no credential; only for the log, since the client could be guessing. Names no
     * credential.
     */
    public String refusal(Described described) {
        return switch (described.arrival()) {
            case Arrival.Direct _ -> refusalOfDirect(described.received());
            case Arrival.Proxied _ -> "NoUserInHeaders";
            case Arrival.Unproven(String why) -> why;
        };
    }

    private String refusalOfDirect(Received received) {
        String ofCertificate = certificates.refusal(received.peer().certificates());
        if (!received.headers().contains(FieldName.AUTHORIZATION)) {
            return ofCertificate.isEmpty() ? "NoCredential" : ofCertificate;
        }
        String ofToken = bearerToken(received) == null ? "NoBearerToken" : "TokenUnknown";
        return ofCertificate.isEmpty() ? ofToken : ofCertificate + "," + ofToken;
    }

    private @Nullable Identity identify(Described described) {
        Received received = described.received();
        return switch (described.arrival()) {
            case Arrival.Direct _ -> direct(received);
            case Arrival.Proxied(Publication publication) -> proxied(received, publication);
            case Arrival.Unproven _ -> null;
        };
    }

    private static @Nullable Identity proxied(Received received, Publication publication) {
        UserInfo user = publication.takeUser(received.headers());
        return user == null
                ? null
                : withAuthenticated(new Identity.OfPublication(
                        publication.target(), publication.source(), publication.groupVersions(), user));
    }

    private @Nullable Identity direct(Received received) {
        Identity byCertificate = certificates.authenticate(received.peer().certificates());
        return byCertificate != null ? byCertificate : byToken(received);
    }

    /** The request's only bearer token; null if there is none or more than one. */
    private static @Nullable String bearerToken(Received received) {
        List<String> credentials = received.headers().all(FieldName.AUTHORIZATION);
        if (credentials.size() != 1 || !credentials.getFirst().regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return null;
        }
        String token = credentials.getFirst().substring(BEARER.length()).strip();
        return token.isEmpty() ? null : token;
    }

    private @Nullable Identity byToken(Received received) {
        String token = bearerToken(received);
        if (token == null) {
            return null;
        }
        for (TokenAuthenticator authenticator : tokens) {
            Identity identity = authenticator.authenticate(token);
            if (identity != null) {
                return withAuthenticated(identity);
            }
        }
        return null;
    }

    private StatusException refusal(Peer peer, boolean anonymous) {
        if (anonymous || failedAttempts.allows(peer.address().getAddress())) {
            return new StatusException(Status.unauthorized());
        }
        meter.reached(Limit.FAILED_AUTHENTICATIONS);
        return new StatusException(Status.withCause(
                429,
                "TooManyRequests",
                "too many failed authentications from this address (expected a credential that is accepted)",
                "TooManyFailedAuthentications",
                1));
    }

    /** Adds the group of every authenticated caller, to all but the anonymous user of another cluster. */
    static Identity withAuthenticated(Identity identity) {
        List<String> groups = identity.user().groups();
        if (groups.contains(UserInfo.AUTHENTICATED) || groups.contains(UserInfo.UNAUTHENTICATED)) {
            return identity;
        }
        return switch (identity) {
            case Identity.OfGateway(UserInfo user) -> new Identity.OfGateway(withAuthenticated(user));
            case Identity.OfCluster(var cluster, UserInfo user) ->
                new Identity.OfCluster(cluster, withAuthenticated(user));
            case Identity.OfPublication(var target, var source, var groupVersions, UserInfo user) ->
                new Identity.OfPublication(target, source, groupVersions, withAuthenticated(user));
        };
    }

    private static UserInfo withAuthenticated(UserInfo user) {
        List<String> groups = new ArrayList<>(user.groups());
        groups.add(UserInfo.AUTHENTICATED);
        return new UserInfo(user.name(), user.uid(), groups, user.extra());
    }
}
