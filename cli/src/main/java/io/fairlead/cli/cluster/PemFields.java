package io.fairlead.cli.cluster;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.credentials.Pem;
import io.fairlead.credentials.kubeconfig.Target;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The PEM fields of a kubeconfig, validated before they are sent, with messages that name the kubeconfig's fields. */
final class PemFields {
    private PemFields() {}

    /**
     * Checks CA and client certificate; an invalid key is refused when it is read.
     *
     * @throws CommandFailure naming the field that cannot be used
     */
    static void check(Path file, Target target) throws CommandFailure {
        requireBoth(file, target.clientCertificate(), target.clientKey());
        try {
            if (target.caCertificates() != null) {
                Pem.certificates("certificate-authority-data", target.caCertificates());
            }
            if (target.clientCertificate() != null) {
                Pem.certificates("client-certificate-data", target.clientCertificate());
            }
        } catch (IllegalArgumentException unusable) {
            throw CommandFailure.of(file + ": " + unusable.getMessage());
        }
    }

    private static void requireBoth(Path file, @Nullable String certificate, @Nullable String key)
            throws CommandFailure {
        if (certificate != null && key == null) {
            throw CommandFailure.of(
                    file + ": client-certificate-data has no client-key-data (expected both, or a token)");
        }
        if (certificate == null && key != null) {
            throw CommandFailure.of(
                    file + ": client-key-data has no client-certificate-data (expected both, or a token)");
        }
    }
}
