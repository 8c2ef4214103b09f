package io.fairlead.schema.crd;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The {@code caBundle} of a conversion webhook (apiserver {@code ValidateCABundle}): one that cannot be read is accepted, since
 * manifests have place holders there that others replace, but the definition is not served before that.
 */
public final class TrustedCertificates {
    private static final Pattern CERTIFICATE = Pattern.compile("-----BEGIN CERTIFICATE-----");

    private TrustedCertificates() {}

    /** Whether the bundle of a definition can be read, or there is none. */
    public static boolean areReadable(CustomResourceDefinition definition) {
        return problems(definition, FieldPath.ROOT).isEmpty();
    }

    static FieldErrors problems(CustomResourceDefinition definition, FieldPath path) {
        FieldErrors errors = new FieldErrors();
        JsonNode bundle = definition.tree().at("/spec/conversion/webhook/clientConfig/caBundle");
        String problem = bundle.asString("").isEmpty() ? "" : problem(bundle.asString(""));
        if (!problem.isEmpty()) {
            errors.invalid(path, bundle, "unable to load root certificates: " + problem);
        }
        return errors;
    }

    private static String problem(String base64) {
        byte[] pem = Base64.getDecoder().decode(base64); // which decoding has checked
        if (!CERTIFICATE.matcher(new String(pem, ISO_8859_1)).find()) {
            return "unable to parse bytes as PEM block";
        }
        try {
            boolean isEmpty = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem))
                    .isEmpty();
            return isEmpty ? "data does not contain any valid RSA or ECDSA certificates" : "";
        } catch (CertificateException e) {
            return "data does not contain any valid RSA or ECDSA certificates";
        }
    }
}
