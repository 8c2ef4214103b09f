package io.fairlead.credentials.pki;

import io.fairlead.credentials.Pem;
import io.fairlead.credentials.PrivateKeys;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * An own CA (RFC 5280) with a P-256 key: signs serving and client certificates.
 *
 * <p>Threads: any; issuing takes milliseconds.
 */
final class CertificateAuthority {
    private static final Duration CA_LIFETIME = Duration.ofDays(3650);
    /** Clocks of clients may be behind. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private final X500Name subject;
    private final PublicKey publicKey;
    private final PrivateKey privateKey;
    private final Instant end;

    private CertificateAuthority(X500Name subject, PublicKey publicKey, PrivateKey privateKey, Instant end) {
        this.subject = subject;
        this.publicKey = publicKey;
        this.privateKey = privateKey;
        this.end = end;
    }

    /** Creates a new CA. */
    static KeyedCertificate create(String name, Instant now) throws GeneralSecurityException {
        KeyPair keys = generateKeys();
        X500Name subject = new X500Name(BCStyle.INSTANCE, "CN=" + name);
        CertificateAuthority self =
                new CertificateAuthority(subject, keys.getPublic(), keys.getPrivate(), now.plus(CA_LIFETIME));
        return self.sign(subject, keys, CA_LIFETIME, now, builder -> {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        });
    }

    /** Uses an existing CA. */
    static CertificateAuthority of(KeyedCertificate ca) throws GeneralSecurityException, IOException {
        X509Certificate certificate = ca.parsed();
        X500Name subject =
                X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
        return new CertificateAuthority(
                subject,
                certificate.getPublicKey(),
                PrivateKeys.parse(ca.key()),
                certificate.getNotAfter().toInstant());
    }

    /** Issues a serving certificate for host names and literal addresses. */
    KeyedCertificate issueServing(String name, Collection<String> hosts, Duration lifetime, Instant now)
            throws GeneralSecurityException {
        GeneralName[] names = hosts.stream().map(CertificateAuthority::hostName).toArray(GeneralName[]::new);
        X500Name server =
                new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, name).build();
        return sign(server, generateKeys(), lifetime, now, builder -> {
            addLeafExtensions(builder, KeyPurposeId.id_kp_serverAuth);
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
        });
    }

    /** Issues a client certificate: the common name is the user, the organization the group. */
    KeyedCertificate issueClient(String user, String group, Duration lifetime, Instant now)
            throws GeneralSecurityException {
        X500Name client = new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.O, group)
                .addRDN(BCStyle.CN, user)
                .build();
        return sign(
                client,
                generateKeys(),
                lifetime,
                now,
                builder -> addLeafExtensions(builder, KeyPurposeId.id_kp_clientAuth));
    }

    private KeyedCertificate sign(X500Name name, KeyPair keys, Duration lifetime, Instant now, Extensions extensions)
            throws GeneralSecurityException {
        Instant notAfter = now.plus(lifetime).isBefore(end) ? now.plus(lifetime) : end;
        try {
            JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    subject,
                    new BigInteger(127, new SecureRandom()),
                    Date.from(now.minus(CLOCK_SKEW)),
                    Date.from(notAfter),
                    name,
                    keys.getPublic());
            builder.addExtension(
                    Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(keys.getPublic()));
            builder.addExtension(
                    Extension.authorityKeyIdentifier, false, identifiers.createAuthorityKeyIdentifier(publicKey));
            extensions.addTo(builder);
            X509Certificate certificate = new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(signature()).build(privateKey)));
            return new KeyedCertificate(Pem.text(certificate), PrivateKeys.text(keys.getPrivate()));
        } catch (OperatorCreationException | IOException broken) {
            throw new GeneralSecurityException(broken);
        }
    }

    private static void addLeafExtensions(X509v3CertificateBuilder builder, KeyPurposeId purpose) throws IOException {
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
    }

    private static GeneralName hostName(String host) {
        try {
            InetAddress.ofLiteral(host);
            return new GeneralName(GeneralName.iPAddress, host);
        } catch (IllegalArgumentException name) {
            return new GeneralName(GeneralName.dNSName, host);
        }
    }

    private static KeyPair generateKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private String signature() {
        return switch (privateKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "Ed25519";
        };
    }

    /** Adds what is particular about one certificate. */
    @FunctionalInterface
    private interface Extensions {
        void addTo(X509v3CertificateBuilder builder) throws IOException;
    }
}
