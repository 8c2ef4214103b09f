package io.fairlead.gateway.authn;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.model.UserInfo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Identifies callers by client certificates that the client CA signed: the common name is the user, the organizations
 * are the groups (kube-apiserver's {@code x509} authenticator).
 *
 * <p>Any thread. A chain is verified once and cached with its identity, as long as its leaf is valid and there is room.
 * A sender chooses the length of its chain, since unrelated certificates in it are ignored.
 */
public final class ClientCertificates {
    /** The most bytes of the cache: the certificates of ten thousand callers without intermediate ones. */
    private static final long REMEMBERED_BYTES_MAX = 48L * 1024 * 1024;

    /** The memory of a parsed certificate in addition to twice its encoding. */
    private static final int CERTIFICATE_BYTES = 3 * 1024;

    private static final String OTHER_CA = "CertificateOfAnotherCA";

    private final @Nullable X509TrustManager trust;
    private final Cache<List<X509Certificate>, Identity> verified;

    private ClientCertificates(@Nullable X509TrustManager trust) {
        this(trust, REMEMBERED_BYTES_MAX);
    }

    ClientCertificates(@Nullable X509TrustManager trust, long rememberedBytesMax) {
        this.trust = trust;
        this.verified = Caffeine.newBuilder()
                .maximumWeight(rememberedBytesMax)
                .weigher((List<X509Certificate> chain, Identity _) -> bytes(chain))
                .executor(Runnable::run)
                .build();
    }

    /**
     * Trusts these CAs.
     *
     * @param clientCa PEM certificates; null if no certificate is accepted
     * @throws IllegalArgumentException if they cannot be read
     */
    public static ClientCertificates signedBy(@Nullable String clientCa) {
        return new ClientCertificates(clientCa == null ? null : trust(clientCa));
    }

    /** Whose certificate it is, or null if there is none, nobody trusted signed it, or it names no user. */
    @Nullable
    Identity authenticate(List<X509Certificate> chain) {
        if (chain.isEmpty() || trust == null) {
            return null;
        }
        try {
            chain.getFirst().checkValidity();
            Identity known = verified.getIfPresent(chain);
            return known != null ? known : verify(chain, trust);
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
            return trust == null ? OTHER_CA : verify(chain, trust) == null ? "CertificateWithoutUser" : "";
        } catch (CertificateExpiredException e) {
            return "CertificateExpired";
        } catch (CertificateNotYetValidException e) {
            return "CertificateNotYetValid";
        } catch (CertificateException e) {
            return OTHER_CA;
        }
    }

    private @Nullable Identity verify(List<X509Certificate> chain, X509TrustManager trusted)
            throws CertificateException {
        trusted.checkClientTrusted(chain.toArray(X509Certificate[]::new), "UNKNOWN");
        Identity identity = identity(chain.getFirst());
        if (identity != null) {
            verified.put(chain, identity);
        }
        return identity;
    }

    private static int bytes(List<X509Certificate> chain) {
        long bytes = 0;
        for (X509Certificate certificate : chain) {
            try {
                bytes += CERTIFICATE_BYTES + 2L * certificate.getEncoded().length;
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException("a certificate that was read can be written", e);
            }
        }
        return Math.toIntExact(bytes);
    }

    private static @Nullable Identity identity(X509Certificate leaf) {
        List<String> names = values(leaf, "CN");
        if (names.isEmpty() || names.getLast().isEmpty()) {
            return null;
        }
        return Authentication.withAuthenticated(
                new Identity.OfGateway(UserInfo.of(names.getLast(), values(leaf, "O"))));
    }

    /** The values of an attribute of the subject, in the certificate's order. */
    private static List<String> values(X509Certificate leaf, String type) {
        List<String> values = new ArrayList<>();
        try {
            for (Rdn rdn : new LdapName(leaf.getSubjectX500Principal().getName()).getRdns()) {
                Attribute attribute = rdn.toAttributes().get(type);
                NamingEnumeration<?> all = attribute == null ? null : attribute.getAll();
                while (all != null && all.hasMore()) {
                    if (all.next() instanceof String text) {
                        values.add(text);
                    }
                }
            }
        } catch (InvalidNameException e) {
            return List.of();
        } catch (NamingException e) {
            throw new IllegalStateException(e);
        }
        return values;
    }

    private static X509TrustManager trust(String clientCa) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(clientCa.getBytes(UTF_8)))) {
                store.setCertificateEntry("ca-" + store.size(), certificate);
            }
            if (store.size() == 0) {
                throw new IllegalArgumentException("client CA: no certificate (expected at least one in PEM)");
            }
            return trustManager(store);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("client CA: expected PEM certificates", e);
        }
    }

    private static X509TrustManager trustManager(KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager x509) {
                return x509;
            }
        }
        throw new GeneralSecurityException("no X.509 trust manager");
    }
}
