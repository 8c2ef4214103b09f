package io.fairlead.credentials.pki;

import io.fairlead.credentials.Pem;
import io.fairlead.credentials.PrivateKeys;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;

/**
 * A CA that is in no file of {@link Pki}: one that ends with the process, or that is kept elsewhere.
 *
 * <p>Threads: any; making and issuing take milliseconds.
 */
public final class SigningAuthority {
    private static final Duration CLIENT_LIFETIME = Duration.ofDays(3650);
    private static final String NAME_CONSTRAINTS = "2.5.29.30";

    /** In a key usage (RFC 5280 section 4.2.1.3). */
    private static final int KEY_CERT_SIGN = 5;

    private static final Duration SERVING_LIFETIME = Duration.ofDays(365);

    private final KeyedCertificate ca;
    private final CertificateAuthority signer;
    private final Instant end;
    private final Duration lifetime;

    private SigningAuthority(KeyedCertificate ca) throws GeneralSecurityException, IOException {
        this.ca = ca;
        this.signer = CertificateAuthority.of(ca);
        X509Certificate certificate = ca.parsed();
        this.end = certificate.getNotAfter().toInstant();
        this.lifetime = Duration.between(certificate.getNotBefore().toInstant(), end);
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
     * Uses one that was made before, if what it signs is accepted: it signs a certificate for trial, which is verified.
     *
     * @param certificate PEM of this certificate alone; what else the text has is left out
     * @param key PEM, unencrypted
     * @throws IllegalArgumentException if it cannot be used: says why, and contains no key
     */
    public static SigningAuthority of(String certificate, String key, Instant now) {
        List<X509Certificate> all = Pem.certificates("certificate", certificate);
        X509Certificate ca = all.getFirst();
        if (all.size() > 1) {
            throw new IllegalArgumentException(
                    "the text has " + all.size() + " certificates (expected that of the CA)");
        }
        if (ca.getExtensionValue(NAME_CONSTRAINTS) != null) {
            throw new IllegalArgumentException("the CA has name constraints (expected none)");
        }
        PrivateKey own = Pem.privateKey("key", key);
        if (!PrivateKeys.fits(own, ca.getPublicKey())) {
            throw new IllegalArgumentException("the key is not that of the certificate");
        }
        boolean[] usage = ca.getKeyUsage();
        if (ca.getBasicConstraints() < 0 || (usage != null && !usage[KEY_CERT_SIGN])) {
            throw new IllegalArgumentException(
                    "the certificate is none of a CA (expected basic constraint CA and key usage keyCertSign)");
        }
        try {
            SigningAuthority made = new SigningAuthority(new KeyedCertificate(Pem.text(ca), PrivateKeys.text(own)));
            made.verify(ca, now);
            return made;
        } catch (GeneralSecurityException | IOException | IllegalStateException unusable) {
            throw new IllegalArgumentException("what it signs is not accepted: " + unusable.getMessage(), unusable);
        }
    }

    /** As of the middle of its life, if it is not in it: an authority that has ended can still be read. */
    private void verify(X509Certificate ca, Instant now) throws GeneralSecurityException {
        Instant within = isValid(now) ? now : end.minus(lifetime.dividedBy(2));
        X509Certificate leaf = serving("trial.example.com", within).parsed();
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(ca, null)));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(within));
        CertPath path = CertificateFactory.getInstance("X.509").generateCertPath(List.of(leaf));
        var _ = CertPathValidator.getInstance("PKIX").validate(path, parameters);
    }

    /** Its certificate and key, PEM. */
    public KeyedCertificate keyed() {
        return ca;
    }

    /** Its certificate, PEM. */
    public String certificate() {
        return ca.certificate();
    }

    /** From its beginning to its end. */
    public Duration lifetime() {
        return lifetime;
    }

    /** Whether it is valid. */
    public boolean isValid(Instant now) {
        return end.isAfter(now) && !now.isBefore(end.minus(lifetime));
    }

    /** Whether it begins later, while another one is valid still. */
    public boolean followsOn(SigningAuthority other, Instant now) {
        Instant begin = end.minus(lifetime);
        return now.isBefore(begin) && begin.isBefore(other.end);
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

    /** One certificate has one key, which may be written in several ways. */
    @Override
    public boolean equals(Object other) {
        return other instanceof SigningAuthority authority && certificate().equals(authority.certificate());
    }

    @Override
    public int hashCode() {
        return certificate().hashCode();
    }

    /** Omits the private key. */
    @Override
    public String toString() {
        return "SigningAuthority[]";
    }
}
