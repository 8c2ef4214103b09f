package io.fairlead.credentials.pki;

import io.fairlead.credentials.PrivateKeys;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * A CA that is in no file of {@link Pki}: one that ends with the process, or that is kept elsewhere.
 *
 * <p>Threads: any; making and issuing take milliseconds.
 */
public final class SigningAuthority {
    private static final Duration CLIENT_LIFETIME = Duration.ofDays(3650);
    private static final Duration SERVING_LIFETIME = Duration.ofDays(365);

    private final KeyedCertificate ca;
    private final CertificateAuthority signer;
    private final Instant end;

    private SigningAuthority(KeyedCertificate ca) throws GeneralSecurityException, IOException {
        this.ca = ca;
        this.signer = CertificateAuthority.of(ca);
        this.end = ca.parsed().getNotAfter().toInstant();
    }

    /** Makes one, which is valid for ten years. */
    public static SigningAuthority create(String name, Instant now) {
        try {
            return new SigningAuthority(CertificateAuthority.create(name, now));
        } catch (GeneralSecurityException | IOException lacking) {
            throw new IllegalStateException("this JDK cannot make a certificate", lacking);
        }
    }

    /**
     * Uses one that was made before.
     *
     * @throws IllegalArgumentException if it cannot sign: says why, and contains no key
     */
    public static SigningAuthority of(KeyedCertificate ca) {
        try {
            X509Certificate certificate = ca.parsed();
            if (certificate.getBasicConstraints() < 0) {
                throw new IllegalArgumentException("the certificate is none of a CA (expected basic constraint CA)");
            }
            if (!PrivateKeys.fits(PrivateKeys.parse(ca.key()), certificate.getPublicKey())) {
                throw new IllegalArgumentException("the key is not that of the certificate");
            }
            return new SigningAuthority(ca);
        } catch (GeneralSecurityException | IOException unreadable) {
            throw new IllegalArgumentException(
                    "the certificate or its key cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /** Its certificate and key, PEM. */
    public KeyedCertificate keyed() {
        return ca;
    }

    /** Its certificate, PEM. */
    public String certificate() {
        return ca.certificate();
    }

    /** Whether it stays valid for that long. */
    public boolean lasts(Duration duration, Instant now) {
        return end.isAfter(now.plus(duration));
    }

    /** A client certificate with a common name, as long as the CA is valid. */
    public KeyedCertificate client(String commonName, Instant now) {
        try {
            return signer.issueClient(commonName, "fairlead", CLIENT_LIFETIME, now);
        } catch (GeneralSecurityException lacking) {
            throw new IllegalStateException("this JDK cannot make a certificate", lacking);
        }
    }

    /** A serving certificate for a host name, valid for a year, or as long as the CA is. */
    public KeyedCertificate serving(String host, Instant now) {
        try {
            return signer.issueServing("fairlead", Set.of(host), SERVING_LIFETIME, now);
        } catch (GeneralSecurityException lacking) {
            throw new IllegalStateException("this JDK cannot make a certificate", lacking);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SigningAuthority authority && ca.equals(authority.ca);
    }

    @Override
    public int hashCode() {
        return ca.hashCode();
    }

    /** Omits the private key. */
    @Override
    public String toString() {
        return "SigningAuthority[]";
    }
}
