package io.fairlead.gateway.chains;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** CAs that sign certificates of clients. Any thread. */
public final class ClientCa {
    private final X509TrustManager trust;

    /** Asks a trust manager, which a test can replace. */
    public ClientCa(X509TrustManager trust) {
        this.trust = trust;
    }

    /**
     * Trusts these.
     *
     * @param pem certificates
     * @throws IllegalArgumentException if they cannot be read, or there is none
     */
    public static ClientCa of(String pem) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(UTF_8)))) {
                store.setCertificateEntry("ca-" + store.size(), certificate);
            }
            if (store.size() == 0) {
                throw new IllegalArgumentException("client CA: no certificate (expected at least one in PEM)");
            }
            return new ClientCa(trustManager(store));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("client CA: expected PEM certificates", e);
        }
    }

    /**
     * Requires that one of them signed a chain, for the authentication of a client, and that all of it is valid now.
     *
     * @param chain leaf first, not empty
     * @throws CertificateException if not
     */
    public void verify(List<X509Certificate> chain) throws CertificateException {
        trust.checkClientTrusted(chain.toArray(X509Certificate[]::new), "UNKNOWN");
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
