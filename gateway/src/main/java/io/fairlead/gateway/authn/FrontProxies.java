package io.fairlead.gateway.authn;

import io.fairlead.config.RequestHeaderSettings;
import io.fairlead.credentials.Subject;
import io.fairlead.fleet.publication.RequestHeaders;
import io.fairlead.gateway.chains.VerifiedChains;
import io.fairlead.gateway.frontproxy.FrontProxy;
import io.fairlead.gateway.listen.Received;
import io.fairlead.model.UserInfo;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Identifies callers by the headers of the gateway's own front proxies (kube-apiserver's {@code requestheader}
 * authenticator). From any other sender such headers are removed, and name no user.
 *
 * <p>Any thread. A chain is verified once and remembered; it is looked at only if the request names a user.
 */
public final class FrontProxies {
    /** Front proxies are few. */
    private static final long REMEMBERED_BYTES_MAX = 1024 * 1024;

    private final FrontProxy trusted;
    private final VerifiedChains<Name> verified;

    private FrontProxies(FrontProxy trusted) {
        this.trusted = trusted;
        this.verified = new VerifiedChains<>(REMEMBERED_BYTES_MAX, this::judge);
    }

    /**
     * Trusts those of a CA.
     *
     * @param ca PEM certificates; null if there are no front proxies
     * @throws IllegalArgumentException if they cannot be read, or a header cannot be one
     */
    public static @Nullable FrontProxies of(@Nullable String ca, RequestHeaderSettings settings) {
        return ca == null
                ? null
                : new FrontProxies(new FrontProxy(new RequestHeaders(
                        ca,
                        settings.allowedNames(),
                        settings.usernameHeaders(),
                        settings.uidHeaders(),
                        settings.groupHeaders(),
                        settings.extraHeadersPrefix())));
    }

    /** A front proxy, which sends the requests of many users over one connection: the owner of its connections. */
    record Name(String commonName) {}

    /**
     * Whom a front proxy names, and itself.
     *
     * @param user without the groups that are Kubernetes' own, which no front proxy of the gateway gives
     */
    record Named(Name by, UserInfo user) {}

    /** Whom the request's front proxy names; null if it comes from none, or names none. Removes the headers in any case. */
    @Nullable
    Named authenticate(Received received) {
        UserInfo user = trusted.takeUser(received.headers());
        Name by = user == null ? null : of(received.peer().certificates());
        return user == null || by == null ? null : new Named(by, SystemNames.without(user));
    }

    private @Nullable Name of(List<X509Certificate> chain) {
        if (chain.isEmpty()) {
            return null;
        }
        try {
            return verified.of(chain);
        } catch (CertificateException e) {
            return null;
        }
    }

    private @Nullable Name judge(List<X509Certificate> chain) {
        return trusted.isSigned(chain) && trusted.isAllowed(chain.getFirst())
                ? new Name(Subject.of(chain.getFirst()).commonName())
                : null;
    }
}
