package io.fairlead.net;

import java.io.Serial;
import java.security.cert.CertificateException;

/** A server's certificate that was not accepted; the message completes "{@code https://host presents …}". */
final class CertificateRefused extends CertificateException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** What may be told of any address: nothing that the certificate says, which may be the network's. */
    private final String withoutContent;

    CertificateRefused(String message, String withoutContent, Throwable cause) {
        super(message, cause);
        this.withoutContent = withoutContent;
    }

    String withoutContent() {
        return withoutContent;
    }
}
