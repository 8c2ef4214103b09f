package io.fairlead.credentials.pki;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;

/**
 * A CA that is in no file and ends with the process: what it signs proves something to this process alone.
 *
 * <p>Threads: any.
 */
public final class PassingAuthority {
    private static final Duration LIFETIME = Duration.ofDays(3650);

    private final KeyedCertificate ca;

    private PassingAuthority(KeyedCertificate ca) {
        this.ca = ca;
    }

    /** Makes one. */
    public static PassingAuthority create(String name, Instant now) {
        try {
            return new PassingAuthority(CertificateAuthority.create(name, now));
        } catch (GeneralSecurityException lacking) {
            throw new IllegalStateException("this JDK cannot make a certificate", lacking);
        }
    }

    /** Its certificate, PEM. */
    public String certificate() {
        return ca.certificate();
    }

    /** A client certificate with a common name, as long as the CA is valid. */
    public KeyedCertificate client(String commonName, Instant now) {
        try {
            return CertificateAuthority.of(ca).issueClient(commonName, "fairlead", LIFETIME, now);
        } catch (GeneralSecurityException | IOException lacking) {
            throw new IllegalStateException("this JDK cannot make a certificate", lacking);
        }
    }
}
