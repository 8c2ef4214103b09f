package io.fairlead.net;

import io.fairlead.credentials.Pem;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a server's certificate: its chain against the expected CAs and its names against the requested host (RFC
 * 9525, by the JDK's HTTPS endpoint identification). Adds a message that a person can act on to the JDK's verdict.
 */
final class ServerTrust extends X509ExtendedTrustManager {
    private static final int NAMES_SHOWN_MAX = 5;

    private final X509ExtendedTrustManager verifier;
    private final String expectedSigner;

    private ServerTrust(X509ExtendedTrustManager verifier, String expectedSigner) {
        this.verifier = verifier;
        this.expectedSigner = expectedSigner;
    }

    /** Trusts the certificates signed by a bundle's, or without a bundle the system's trust. */
    static ServerTrust of(@Nullable String caBundle) {
        try {
            if (caBundle == null) {
                return new ServerTrust(verifier(null), "a CA of the system's trust store");
            }
            KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
            anchors.load(null, null);
            int count = 0;
            for (X509Certificate anchor : Pem.certificates("caBundle", caBundle)) {
                anchors.setCertificateEntry("ca-" + count++, anchor);
            }
            return new ServerTrust(verifier(anchors), "the given CA bundle");
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("caBundle: the certificates cannot be used as trust anchors", e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        try {
            verifier.checkServerTrusted(chain, authType, engine);
        } catch (CertificateException e) {
            throw explain(chain, authType, e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        verifier.checkServerTrusted(chain, authType, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        verifier.checkServerTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("only servers are verified here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("only servers are verified here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("only servers are verified here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return verifier.getAcceptedIssuers();
    }

    private CertificateRefused explain(X509Certificate[] chain, String authType, CertificateException refusal) {
        X509Certificate leaf = chain[0];
        try {
            leaf.checkValidity();
        } catch (CertificateExpiredException e) {
            return new CertificateRefused(
                    "a certificate that expired on " + leaf.getNotAfter().toInstant(),
                    "a certificate that expired",
                    refusal);
        } catch (CertificateNotYetValidException e) {
            return new CertificateRefused(
                    "a certificate that is not valid before "
                            + leaf.getNotBefore().toInstant(),
                    "a certificate that is not valid yet",
                    refusal);
        }
        if (chainIsTrusted(chain, authType)) {
            return new CertificateRefused(
                    "a certificate for " + names(leaf) + ", which is not the host asked for",
                    "a certificate that is not for the host asked for",
                    refusal);
        }
        return new CertificateRefused(
                "a certificate issued by \"" + leaf.getIssuerX500Principal().getName() + "\", which is not signed by "
                        + expectedSigner,
                "a certificate that is not signed by " + expectedSigner,
                refusal);
    }

    /** Without the engine the JDK verifies only the chain. */
    private boolean chainIsTrusted(X509Certificate[] chain, String authType) {
        try {
            verifier.checkServerTrusted(chain, authType);
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    private static String names(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                for (List<?> alternative : alternatives) {
                    if (alternative.get(1) instanceof String name) {
                        names.add("\"" + name + "\"");
                    }
                }
            }
        } catch (CertificateParsingException e) {
            return "names that cannot be read";
        }
        if (names.isEmpty()) {
            return "no host name";
        }
        return names.size() <= NAMES_SHOWN_MAX
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, NAMES_SHOWN_MAX)) + " and " + (names.size() - NAMES_SHOWN_MAX)
                        + " more";
    }

    private static X509ExtendedTrustManager verifier(@Nullable KeyStore anchors) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(anchors);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new IllegalStateException("the platform has no X.509 trust manager");
    }
}
