package io.fairlead.cli.server;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why a TLS handshake with a server failed, in words for people: the JDK's own messages name its classes. */
final class TlsFault {
    private static final int CAUSES_MAX = 10;
    private static final Pattern ALERT = Pattern.compile("Received fatal alert");
    private static final Pattern PLAIN = Pattern.compile("plaintext connection\\?");

    private TlsFault() {}

    static String of(SSLException failure) {
        if (has(failure, CertificateExpiredException.class)) {
            return "the server's certificate has expired";
        }
        if (has(failure, CertificateNotYetValidException.class)) {
            return "the server's certificate is not valid yet";
        }
        if (has(failure, CertPathBuilderException.class) || isOfAnotherIssuer(failure)) {
            return "the server's certificate was not issued by the CA of the kubeconfig (certificate-authority)";
        }
        String message = String.valueOf(failure.getMessage());
        if (ALERT.matcher(message).find()) {
            return "the server ended the TLS handshake: " + message;
        }
        if (PLAIN.matcher(message).find()) {
            return "what listens there does not speak TLS (expected the server's HTTPS address)";
        }
        CertificateException refused = find(failure, CertificateException.class);
        return String.valueOf((refused == null ? failure : refused).getMessage());
    }

    /** Of another key, perhaps with the same name. */
    private static boolean isOfAnotherIssuer(SSLException failure) {
        CertPathValidatorException invalid = find(failure, CertPathValidatorException.class);
        return invalid != null
                && (invalid.getReason() == PKIXReason.NO_TRUST_ANCHOR
                        || String.valueOf(invalid.getMessage()).startsWith("signature check failed"));
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> type) {
        return find(failure, type) != null;
    }

    private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++, cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }
}
