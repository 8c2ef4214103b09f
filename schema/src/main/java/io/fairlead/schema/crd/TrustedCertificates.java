package io.fairlead.schema.crd;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;

/**
 * The {@code caBundle} of a conversion webhook (apiserver {@code ValidateCABundle}): one that cannot be read is accepted, since
 * manifests have place holders there that others replace, but the definition is not served before that.
 */
public final class TrustedCertificates {
    private static final String PATH = "/spec/conversion/webhook/clientConfig/caBundle";
    private static final String NONE = "data does not contain any valid RSA or ECDSA certificates";

    private TrustedCertificates() {}

    /** Whether the bundle of a definition can be read, or there is none. */
    public static boolean areReadable(CustomResourceDefinition definition) {
        return problem(definition).isEmpty();
    }

    /** Why the bundle of a definition cannot be read; empty if it can. */
    static String problem(CustomResourceDefinition definition) {
        byte[] pem = Base64.getDecoder().decode(text(definition)); // its decoding has checked it
        if (pem.length == 0) {
            return "";
        }
        if (!new String(pem, ISO_8859_1).contains("-----BEGIN CERTIFICATE-----")) {
            return "unable to parse bytes as PEM block";
        }
        try {
            boolean isEmpty = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem))
                    .isEmpty();
            return isEmpty ? NONE : "";
        } catch (CertificateException e) {
            return NONE;
        }
    }

    /** In base64, empty if there is none. */
    static String text(CustomResourceDefinition definition) {
        return definition.tree().at(PATH).asString("");
    }
}
