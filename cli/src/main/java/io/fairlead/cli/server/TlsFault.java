package io.fairlead.cli.server;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why a TLS handshake with a server failed, in words for people: the JDK's own messages name its classes. */
final class TlsFault {
    private static final int CAUSES_MAX = 10;

    private TlsFault() {}

    static String of(SSLException failure) {
        if (has(failure, CertificateExpiredException.class)) {
            return "its certificate has expired";
        }
        if (has(failure, CertificateNotYetValidException.class)) {
            return "its certificate is not valid yet";
        }
        if (has(failure, CertPathBuilderException.class)) {
            return "its certificate is signed by no CA that the kubeconfig names";
        }
        CertificateException refused = find(failure, CertificateException.class);
        return String.valueOf((refused == null ? failure : refused).getMessage());
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
