package io.fairlead.cli.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fairlead.credentials.PrivateKeys;
import io.fairlead.credentials.kubeconfig.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS of the JDK with the trust and the client certificate of a kubeconfig. */
public final class ClientTls {
    private static final char[] NO_PASSWORD = new char[0];

    private ClientTls() {}

    /** Trusts the CAs of a target and presents its client certificate; both in the JDK's form. */
    public static SSLContext context(Target target) throws UnusableException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    keys(target.clientCertificate(), target.clientKey()),
                    trust(target.caCertificates()),
                    new SecureRandom());
            return target.tlsServerName() == null ? context : named(context, target.tlsServerName());
        } catch (GeneralSecurityException | IOException unusable) {
            throw new UnusableException(unusable);
        }
    }

    private static SSLContext named(SSLContext context, String name) throws UnusableException {
        try {
            return new NamedServerContext(context, name);
        } catch (IllegalArgumentException noName) {
            throw new UnusableException("tls-server-name \"" + name + "\" (expected a host name or an address)");
        }
    }

    /** Trusts servers whose certificates these CAs (PEM) signed, and presents none itself. */
    public static SSLContext trusting(String ca) throws UnusableException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust(ca), new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException unusable) {
            throw new UnusableException(unusable);
        }
    }

    private static TrustManager @Nullable [] trust(@Nullable String ca) throws GeneralSecurityException, IOException {
        if (ca == null) {
            return null;
        }
        KeyStore store = emptyStore();
        int number = 0;
        for (Certificate certificate : certificates(ca)) {
            store.setCertificateEntry("ca-" + number++, certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyManager @Nullable [] keys(@Nullable String certificate, @Nullable String key)
            throws GeneralSecurityException, IOException {
        if (certificate == null || key == null) {
            return null;
        }
        PrivateKey privateKey = PrivateKeys.parse(key);
        KeyStore store = emptyStore();
        store.setKeyEntry(
                "client", privateKey, NO_PASSWORD, certificates(certificate).toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    /** The certificates of a PEM text. */
    public static List<X509Certificate> x509(String pem) throws GeneralSecurityException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Certificate certificate : certificates(pem)) {
            if (certificate instanceof X509Certificate x509) {
                certificates.add(x509);
            }
        }
        return certificates;
    }

    /** When the first client certificate of a kubeconfig expires; empty if it has no readable one. */
    static Optional<Instant> end(Target target) {
        try {
            return target.clientCertificate() == null
                    ? Optional.empty()
                    : x509(target.clientCertificate()).stream()
                            .map(certificate -> certificate.getNotAfter().toInstant())
                            .min(Comparator.naturalOrder());
        } catch (GeneralSecurityException unreadable) {
            return Optional.empty();
        }
    }

    private static Collection<? extends Certificate> certificates(String pem) throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(US_ASCII)));
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    /** A certificate, key or name that the JDK cannot use. */
    public static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message);
        }

        UnusableException(Exception cause) {
            super("certificate or key cannot be used (" + why(cause) + ")", cause);
        }

        /** Messages of the JDK's security providers contain class names. */
        private static String why(Exception cause) {
            return cause instanceof IOException ? String.valueOf(cause.getMessage()) : "expected PEM";
        }
    }
}
