package io.fairlead.net;

import java.io.Serial;
import java.security.cert.CertificateException;

/** A server's certificate that was not accepted; the message completes "{@code https://host presents …}". */
final class CertificateRefused extends CertificateException {
    @Serial
    private static final long serialVersionUID = 1L;

    CertificateRefused(String message, Throwable cause) {
        super(message, cause);
    }
}
