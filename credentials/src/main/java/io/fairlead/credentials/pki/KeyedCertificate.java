package io.fairlead.credentials.pki;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A certificate and its private key, both PEM.
 *
 * @param certificate the certificate, followed by its chain if it has one
 * @param key the PKCS #8 private key
 */
public record KeyedCertificate(String certificate, String key) {
    private static final int SAN_DNS = 2;
    private static final int SAN_IP = 7;

    /** The first certificate. */
    public X509Certificate parsed() throws CertificateException {
        return parse(certificate);
    }

    /** Reads the first certificate of a PEM text. */
    static X509Certificate parse(String pem) throws CertificateException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        return (X509Certificate)
                factory.generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    /** Whether it stays valid for that long. */
    boolean lasts(Duration duration, Instant now) throws CertificateException {
        return parsed().getNotAfter().toInstant().isAfter(now.plus(duration));
    }

    /** The host names and addresses in it. */
    Set<String> hosts() throws CertificateException {
        Set<String> hosts = new HashSet<>();
        var names = parsed().getSubjectAlternativeNames();
        if (names != null) {
            for (List<?> name : names) {
                if (name.get(0) instanceof Integer type && (type == SAN_DNS || type == SAN_IP)) {
                    hosts.add(canonical(String.valueOf(name.get(1))));
                }
            }
        }
        return hosts;
    }

    /** One spelling for each address, so that {@code ::1} is found in any spelling. */
    static String canonical(String host) {
        try {
            return InetAddress.ofLiteral(host).getHostAddress();
        } catch (IllegalArgumentException name) {
            return host;
        }
    }

    /** Omits the private key. */
    @Override
    public String toString() {
        return "KeyedCertificate[]";
    }
}
