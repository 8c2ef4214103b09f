package io.fairlead.gateway.authn;

import io.fairlead.credentials.Subject;
import io.fairlead.gateway.chains.ClientCa;
import io.fairlead.gateway.chains.VerifiedChains;
import io.fairlead.model.UserInfo;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Identifies callers by client certificates that the client CA signed: the common name is the user, the organizations
 * are the groups (kube-apiserver's {@code x509} authenticator).
 *
 * <p>Any thread. A chain is verified once and cached with its identity, as long as its leaf is valid and there is room.
 */
public final class ClientCertificates {
    /** The most bytes of the cache: the certificates of ten thousand callers without intermediate ones. */
    private static final long REMEMBERED_BYTES_MAX = 48L * 1024 * 1024;

    private static final String OTHER_CA = "CertificateOfAnotherCA";

    private final @Nullable VerifiedChains<Identity> verified;

    private ClientCertificates(@Nullable ClientCa trusted, long rememberedBytesMax) {
        this.verified = trusted == null
                ? null
                : new VerifiedChains<>(rememberedBytesMax, chain -> {
                    trusted.verify(chain);
                    return identity(chain.getFirst());
                });
    }

    ClientCertificates(X509TrustManager trust, long rememberedBytesMax) {
        this(new ClientCa(trust), rememberedBytesMax);
    }

    /**
     * Trusts these CAs.
     *
     * @param clientCa PEM certificates; null if no certificate is accepted
     * @throws IllegalArgumentException if they cannot be read
     */
    public static ClientCertificates signedBy(@Nullable String clientCa) {
        return new ClientCertificates(clientCa == null ? null : ClientCa.of(clientCa), REMEMBERED_BYTES_MAX);
    }

    /** Whose certificate it is, or null if there is none, no trusted authority signed it, or it names no user. */
    @Nullable
    Identity authenticate(List<X509Certificate> chain) {
        if (chain.isEmpty() || verified == null) {
            return null;
        }
        try {
            return verified.of(chain);
        } catch (CertificateException e) {
            return null;
        }
    }

    /** Why a chain is not accepted, in one word; empty if there is none or it is accepted. */
    String refusal(List<X509Certificate> chain) {
        if (chain.isEmpty()) {
            return "";
        }
        try {
            chain.getFirst().checkValidity();
            return verified == null ? OTHER_CA : verified.of(chain) == null ? "CertificateWithoutUser" : "";
        } catch (CertificateExpiredException e) {
            return "CertificateExpired";
        } catch (CertificateNotYetValidException e) {
            return "CertificateNotYetValid";
        } catch (CertificateException e) {
            return OTHER_CA;
        }
    }

    private static @Nullable Identity identity(X509Certificate leaf) {
        Subject subject = Subject.of(leaf);
        return subject.commonName().isEmpty()
                ? null
                : Authentication.withAuthenticated(
                        new Identity.OfGateway(UserInfo.of(subject.commonName(), subject.organizations())));
    }
}
