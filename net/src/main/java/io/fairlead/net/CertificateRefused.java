package io.fairlead.net;

import java.io.Serial;
import java.security.cert.CertificateException;

/** A server's certificate that was not accepted; the message completes "{@code https://host presents …}". */
final class CertificateRefused extends CertificateException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The text for any address: nothing from the certificate, which may reveal the network. */
    private final String withoutContent;

    CertificateRefused(String message, String withoutContent, Throwable cause) {
        super(message, cause);
        this.withoutContent = withoutContent;
    }

    String withoutContent() {
        return withoutContent;
    }
}
