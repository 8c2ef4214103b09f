package io.fairlead.gateway.authn;

import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.gateway.listen.Peer;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.publication.Arrival;
import io.fairlead.gateway.publication.Publication;
import io.fairlead.hosted.OwnUser;
import io.fairlead.http.FieldName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the caller: by the headers of a front proxy of the gateway, then by its client certificate, then by its bearer
 * token; the first accepted credential decides. On the connections of publications only the headers of the front proxy count.
 *
 * <p>Any thread. {@link #authenticateAtOnce} never blocks; {@link #authenticate} can, where an issuer or a cluster must be asked.
 */
public final class Authentication {
    private static final String BEARER = "Bearer ";

    private final List<TokenAuthenticator> tokens;
    private final FailedAttempts failedAttempts;
    private final LimitMeter meter;
    private volatile ClientCertificates certificates;
    private volatile @Nullable FrontProxies frontProxies;

    public Authentication(
            ClientCertificates certificates,
            @Nullable FrontProxies frontProxies,
            List<TokenAuthenticator> tokens,
            FailedAttempts failedAttempts,
            LimitMeter meter) {
        this.certificates = certificates;
        this.frontProxies = frontProxies;
        this.tokens = List.copyOf(tokens);
        this.failedAttempts = failedAttempts;
        this.meter = meter;
    }

    /** Verifies the certificates of clients and front proxies with other CAs from now on. */
    public void trust(ClientCertificates newCertificates, @Nullable FrontProxies newFrontProxies) {
        certificates = newCertificates;
        frontProxies = newFrontProxies;
    }

    /** Whether the request has any credential. */
    public static boolean isAnonymous(Described described) {
        Received received = described.received();
        return received.peer().certificates().isEmpty() && !received.headers().contains(FieldName.AUTHORIZATION);
    }

    /**
     * Authenticates as far as that is possible at once; empty if an issuer or a cluster must be asked. Does not block.
     *
     * @param refused is given the reason for a refusal, in words for the log: the client could be guessing. Names no credential
     * @throws StatusException with 401 if there is no credential or none is accepted, with 429 after too many failures
     */
    public Optional<Authenticated> authenticateAtOnce(Described described, Consumer<String> refused) {
        return authenticated(described, TokenAuthenticator::atOnce, refused);
    }

    /**
     * The same for good; can block. From an address with too many failures only few are judged at once, good ones among them: one
     * broken client behind a load balancer must not lock out the others.
     */
    public Authenticated authenticate(Described described, Consumer<String> refused) {
        InetAddress address = described.received().peer().address().getAddress();
        if (!failedAttempts.begin(address)) {
            throw tooManyFailures();
        }
        try {
            return authenticated(described, TokenAuthenticator::judge, refused)
                    .orElseThrow(() -> new IllegalStateException("an authenticator does not judge"));
        } finally {
            failedAttempts.end(address);
        }
    }

    /** The same where nothing logs refusals. */
    public Authenticated authenticate(Described described) {
        return authenticate(described, _ -> {});
    }

    /** Asks an authenticator about a token. */
    private interface Question extends BiFunction<TokenAuthenticator, Bearer, Verdict> {}

    private Optional<Authenticated> authenticated(Described described, Question question, Consumer<String> refused) {
        Received received = described.received();
        FrontProxies proxies = frontProxies;
        if (proxies != null && described.arrival() instanceof Arrival.Direct) {
            FrontProxies.Named named = proxies.authenticate(received);
            if (named != null) {
                return Optional.of(proxied(described, named, refused));
            }
        }
        Identity identity = switch (described.arrival()) {
            case Arrival.Direct _ -> certificates.authenticate(received.peer().certificates());
            case Arrival.Proxied(Publication publication) -> proxied(received, publication);
            case Arrival.Unproven _ -> null;
        };
        if (identity != null) {
            return Optional.of(accepted(described, identity, null, refused));
        }
        return switch (described.arrival()) {
            case Arrival.Direct _ -> byToken(described, question, refused);
            case Arrival.Proxied _ -> throw refusal(described, "NoUserInHeaders", "", refused);
            case Arrival.Unproven(String why) -> throw refusal(described, why, "", refused);
        };
    }

    private Optional<Authenticated> byToken(Described described, Question question, Consumer<String> refused) {
        Received received = described.received();
        String token = bearerToken(received);
        if (token == null) {
            String why = received.headers().contains(FieldName.AUTHORIZATION) ? "NoBearerToken" : "";
            throw refusalOfDirect(described, why, "", refused);
        }
        Bearer bearer = new Bearer(token, described.target());
        String why = "";
        for (TokenAuthenticator authenticator : tokens) {
            switch (question.apply(authenticator, bearer)) {
                case Verdict.Accepted(Identity identity) -> {
                    Identity known = withAuthenticated(identity);
                    Bearer own = known instanceof Identity.OfCluster ? bearer : null;
                    return Optional.of(accepted(described, known, own, refused));
                }
                case Verdict.NotYet _ -> {
                    return Optional.empty();
                }
                case Verdict.NotMine(String reason) -> why = joined(why, reason);
                case Verdict.Refused(String reason, String told) ->
                    throw refusalOfDirect(described, joined(why, reason), told, refused);
            }
        }
        throw refusalOfDirect(described, why.isEmpty() ? "TokenUnknown" : why, "", refused);
    }

    /** No credential makes a client one of Fairlead's own users, for whom other limits hold. */
    private Authenticated accepted(
            Described described, Identity identity, @Nullable Bearer own, Consumer<String> refused) {
        if (OwnUser.is(identity.caller())) {
            throw refusal(described, "NameOfFairleadItself", "", refused);
        }
        return new Authenticated(described, identity, identity.connectionOwner(), own);
    }

    private StatusException refusalOfDirect(
            Described described, String ofToken, String told, Consumer<String> refused) {
        String ofCertificate = certificates.refusal(described.received().peer().certificates());
        String why = joined(ofCertificate, ofToken);
        return refusal(described, why.isEmpty() ? "NoCredential" : why, told, refused);
    }

    private static String joined(String one, String other) {
        return one.isEmpty() || other.isEmpty() ? one + other : one + "," + other;
    }

    private Authenticated proxied(Described described, FrontProxies.Named named, Consumer<String> refused) {
        if (SystemNames.isOf(named.user())) {
            throw refusal(described, "SystemUsernameInHeaders", "", refused);
        }
        return new Authenticated(described, withAuthenticated(new Identity.OfGateway(named.user())), named.by(), null);
    }

    private static @Nullable Identity proxied(Received received, Publication publication) {
        UserInfo user = publication.takeUser(received.headers());
        return user == null
                ? null
                : withAuthenticated(new Identity.OfPublication(
                        publication.target(), publication.source(), publication.groupVersions(), user));
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

    private StatusException refusal(Described described, String why, String told, Consumer<String> refused) {
        refused.accept(why);
        Peer peer = described.received().peer();
        if (isAnonymous(described) || failedAttempts.allows(peer.address().getAddress())) {
            return new StatusException(Status.unauthorized(told));
        }
        return tooManyFailures();
    }

    private StatusException tooManyFailures() {
        meter.reached(Limit.FAILED_AUTHENTICATIONS);
        return new StatusException(Status.withCause(
                429,
                "TooManyRequests",
                "too many failed authentications from this address (expected a credential that is accepted)",
                "TooManyFailedAuthentications",
                1));
    }

    /** Adds the group of every authenticated caller, to all but the anonymous user of another cluster. */
    public static Identity withAuthenticated(Identity identity) {
        List<String> groups = identity.user().groups();
        if (groups.contains(UserInfo.AUTHENTICATED) || groups.contains(UserInfo.UNAUTHENTICATED)) {
            return identity;
        }
        return switch (identity) {
            case Identity.OfGateway(UserInfo user) -> new Identity.OfGateway(withAuthenticated(user));
            case Identity.OfCluster(var cluster, var voucher, UserInfo user) ->
                new Identity.OfCluster(cluster, voucher, withAuthenticated(user));
            case Identity.OfPublication(var target, var source, var groupVersions, UserInfo userOfTarget) ->
                new Identity.OfPublication(target, source, groupVersions, withAuthenticated(userOfTarget));
        };
    }

    private static UserInfo withAuthenticated(UserInfo user) {
        List<String> groups = new ArrayList<>(user.groups());
        groups.add(UserInfo.AUTHENTICATED);
        return new UserInfo(user.name(), user.uid(), groups, user.extra());
    }
}
