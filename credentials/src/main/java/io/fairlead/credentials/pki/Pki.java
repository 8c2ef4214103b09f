package io.fairlead.credentials.pki;

import io.fairlead.credentials.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The certificates below {@code pki/}: {@code ca}, {@code serving} and {@code admin}, each a {@code .crt} and a
 * {@code .key}. Missing ones are created; those that are about to expire or lack a host are renewed.
 *
 * <p>Threads: one at a time; {@link #caCertificate} any.
 */
public final class Pki {
    /** The common name of the administrator's certificate. */
    public static final String ADMIN = "fairlead-admin";

    private static final String SUBJECT_KEY_IDENTIFIER = "2.5.29.14";
    private static final String AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";
    private static final int KEY_IDENTIFIER_BYTES = 20;

    private static final Duration LIFETIME = Duration.ofDays(365);
    private static final Duration RENEW_BEFORE = Duration.ofDays(60);

    private final Path folder;
    private final InstantSource clock;
    private final KeyedCertificate ca;

    private Pki(Path folder, InstantSource clock, KeyedCertificate ca) {
        this.folder = folder;
        this.clock = clock;
        this.ca = ca;
    }

    /**
     * Opens the folder, creating it and the CA if missing.
     *
     * @throws PkiException naming the file if something there cannot be used
     */
    public static Pki open(Path folder, InstantSource clock) throws PkiException {
        Path file = folder.resolve("ca.crt");
        try {
            PrivateFiles.makeFolder(folder);
            KeyedCertificate ca;
            if (Files.exists(file)) {
                ca = read(folder, "ca");
                requireValid(ca, file, clock.instant());
            } else {
                ca = CertificateAuthority.create("fairlead-ca-" + clock.millis() / 1000, clock.instant());
                write(folder, "ca", ca);
            }
            return new Pki(folder, clock, ca);
        } catch (IOException unreadable) {
            throw new PkiException(file, unreadable);
        } catch (GeneralSecurityException unusable) {
            throw new PkiException(file, unusable);
        }
    }

    /** The CA's certificate, PEM. */
    public String caCertificate() {
        return ca.certificate();
    }

    /** A serving certificate for the hosts; the existing one if it is valid for them. */
    public KeyedCertificate serving(Set<String> hosts) throws PkiException {
        Set<String> wanted = hosts.stream().map(KeyedCertificate::canonical).collect(Collectors.toSet());
        return current(
                "serving",
                kept -> kept.hosts().containsAll(wanted),
                authority -> authority.issueServing("fairlead", hosts, LIFETIME, clock.instant()));
    }

    /** The administrator's client certificate; the existing one if it is valid. */
    public KeyedCertificate admin() throws PkiException {
        return current(
                "admin",
                _ -> true,
                authority -> authority.issueClient(ADMIN, "system:masters", LIFETIME, clock.instant()));
    }

    private KeyedCertificate current(String name, Condition good, Issue issue) throws PkiException {
        Path file = folder.resolve(name + ".crt");
        try {
            if (Files.exists(file)) {
                KeyedCertificate kept = read(folder, name);
                if (isSigned(kept) && kept.lasts(RENEW_BEFORE, clock.instant()) && good.holds(kept)) {
                    return kept;
                }
            }
            KeyedCertificate made = issue.by(CertificateAuthority.of(ca));
            write(folder, name, made);
            return made;
        } catch (IOException unreadable) {
            throw new PkiException(file, unreadable);
        } catch (GeneralSecurityException unusable) {
            throw new PkiException(file, unusable);
        }
    }

    private boolean isSigned(KeyedCertificate certificate) throws CertificateException {
        X509Certificate leaf = certificate.parsed();
        X509Certificate authority = ca.parsed();
        if (namesKeyOf(leaf, authority)) {
            return true;
        }
        try {
            leaf.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException foreign) {
            return false;
        }
    }

    /**
     * Whether a certificate names its authority's key by the identifier (RFC 5280 section 4.2.1.1); false if it does so
     * in another form. Only this program writes this folder, and verifying a signature is among the most expensive
     * steps of a start.
     */
    private static boolean namesKeyOf(X509Certificate leaf, X509Certificate authority) {
        byte[] named = leaf.getExtensionValue(AUTHORITY_KEY_IDENTIFIER);
        byte[] own = authority.getExtensionValue(SUBJECT_KEY_IDENTIFIER);
        return named != null
                && own != null
                && Math.min(named.length, own.length) > KEY_IDENTIFIER_BYTES
                && Arrays.equals(
                        named,
                        named.length - KEY_IDENTIFIER_BYTES,
                        named.length,
                        own,
                        own.length - KEY_IDENTIFIER_BYTES,
                        own.length);
    }

    private static void requireValid(KeyedCertificate ca, Path file, Instant now) throws PkiException, IOException {
        try {
            if (!ca.lasts(Duration.ZERO, now)) {
                throw new PkiException(
                        file,
                        "the certificate expired on "
                                + ca.parsed().getNotAfter().toInstant() + " (remove the folder to have a new CA made)");
            }
        } catch (CertificateException unreadable) {
            throw new PkiException(file, unreadable);
        }
    }

    private static KeyedCertificate read(Path folder, String name) throws IOException {
        return new KeyedCertificate(
                Files.readString(folder.resolve(name + ".crt")), Files.readString(folder.resolve(name + ".key")));
    }

    /** The key is deleted first: a certificate without its key would look complete. */
    private static void write(Path folder, String name, KeyedCertificate certificate) throws IOException {
        PrivateFiles.writeSecret(folder.resolve(name + ".key"), certificate.key());
        PrivateFiles.writePublic(folder.resolve(name + ".crt"), certificate.certificate());
    }

    /** Whether an existing certificate is still usable. */
    @FunctionalInterface
    private interface Condition {
        boolean holds(KeyedCertificate certificate) throws CertificateException;
    }

    /** Creates a new certificate. */
    @FunctionalInterface
    private interface Issue {
        KeyedCertificate by(CertificateAuthority authority) throws GeneralSecurityException;
    }
}
