package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.Names;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of certificate signing requests (kubernetes {@code pkg/apis/certificates/validation}). */
final class SigningRequests {
    static final Map<String, Comparison> ALL = Map.of(
            "certificates/v1.CertificateSigningRequestSpec", SigningRequests::spec,
            "certificates/v1.CertificateSigningRequestStatus", SigningRequests::status);

    private static final int NAME_CHARS_MAX = 571;
    private static final int DOMAIN_CHARS_MAX = 253;
    private static final int DER_SEQUENCE = 0x30;
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,64})-----\\s([A-Za-z0-9+/=\\s]*+)-----END \\1-----");
    private static final String BEGIN = "-----BEGIN";
    private static final String REQUEST = "CERTIFICATE REQUEST";
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String LEGACY = "kubernetes.io/legacy-unknown";
    private static final List<String> USAGES = List.of(
            "any",
            "cert sign",
            "client auth",
            "code signing",
            "content commitment",
            "crl sign",
            "data encipherment",
            "decipher only",
            "digital signature",
            "email protection",
            "encipher only",
            "ipsec end system",
            "ipsec tunnel",
            "ipsec user",
            "key agreement",
            "key encipherment",
            "microsoft sgc",
            "netscape sgc",
            "ocsp signing",
            "s/mime",
            "server auth",
            "signing",
            "timestamping");

    private SigningRequests() {}

    private static void spec(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode sent = spec.path("request");
        JsonNode request = sent.asString("").isEmpty() ? Json.nodes().nullNode() : sent;
        request(text(request)).ifPresent(problem -> errors.invalid(path.child("request"), request, problem));
        Set<String> seen = new HashSet<>();
        int index = 0;
        for (JsonNode usage : spec.path("usages")) {
            FieldPath at = path.child("usages").index(index++);
            if (!USAGES.contains(usage.asString(""))) {
                errors.notSupported(at, usage, USAGES);
            }
            if (!seen.add(usage.asString(""))) {
                errors.duplicate(at, usage);
            }
        }
        signer(spec.path("signerName").asString(""), path.child("signerName"), errors);
    }

    /** A name is a domain and a path ({@code ValidateSignerName}). */
    private static void signer(String name, FieldPath path, FieldErrors errors) {
        int slash = name.indexOf('/');
        if (name.equals(LEGACY)) {
            errors.invalid(path, name, "the legacy signerName is not allowed via this API version");
        } else if (name.isEmpty()) {
            errors.required(path, "");
        } else if (slash < 0 || name.indexOf('/', slash + 1) >= 0) {
            errors.invalid(
                    path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
        } else {
            String domain = name.substring(0, slash);
            String rest = name.substring(slash + 1);
            if (domain.length() > DOMAIN_CHARS_MAX) {
                errors.tooLong(path, DOMAIN_CHARS_MAX);
            }
            labels(domain, path, errors, true);
            if (!domain.contains(".")) {
                errors.invalid(path, domain, "should be a domain with at least two segments separated by dots");
            }
            labels(rest, path, errors, false);
            if (name.length() > NAME_CHARS_MAX) {
                errors.tooLong(path, NAME_CHARS_MAX);
            }
        }
    }

    /** Says what is wrong with the first label that is. */
    private static void labels(String text, FieldPath path, FieldErrors errors, boolean isDomain) {
        for (String label : text.split("\\.", -1)) {
            List<String> problems = isDomain ? Names.dns1123Label(label) : Names.dns1123Subdomain(label);
            problems.forEach(
                    problem -> errors.invalid(path, text, "validating label " + GoText.quote(label) + ": " + problem));
            if (!problems.isEmpty()) {
                return;
            }
        }
    }

    private static void status(ObjectNode status, FieldPath path, FieldErrors errors) {
        String problem = certificates(text(status.path("certificate")));
        if (problem != null) {
            errors.invalid(path.child("certificate"), "<certificate data>", problem);
        }
    }

    private static String text(JsonNode base64) {
        try {
            return new String(Base64.getDecoder().decode(base64.asString("")), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /**
     * The bytes of a request in which there is nothing else that some programs could take for it.
     *
     * @throws IllegalArgumentException if it is another text
     */
    static byte[] onlyBlock(JsonNode request) {
        String pem = text(request);
        Matcher block = BLOCK.matcher(pem);
        if (!block.find() || !block.group(1).equals(REQUEST) || pem.indexOf(BEGIN) != pem.lastIndexOf(BEGIN)) {
            throw new IllegalArgumentException("there must be one PEM block, of type " + REQUEST);
        }
        return bytes(block);
    }

    private static Optional<String> request(String pem) {
        Matcher block = BLOCK.matcher(pem);
        if (!block.find() || !block.group(1).equals(REQUEST)) {
            return Optional.of("PEM block type must be CERTIFICATE REQUEST");
        }
        byte[] der = bytes(block);
        boolean isSequence = der.length > 2 && (der[0] & 0xff) == DER_SEQUENCE;
        return isSequence ? Optional.empty() : Optional.of("asn1: syntax error: sequence truncated");
    }

    /** What is wrong with certificates, or null; there may be none, but not in a text of something else. */
    private static @Nullable String certificates(String pem) {
        if (pem.isEmpty()) {
            return null;
        }
        Matcher blocks = BLOCK.matcher(pem);
        int count = 0;
        while (blocks.find()) {
            if (!blocks.group(1).equals(CERTIFICATE)) {
                return "only CERTIFICATE PEM blocks are allowed, found " + GoText.quote(blocks.group(1));
            }
            if (!isCertificate(bytes(blocks))) {
                return "x509: malformed certificate";
            }
            count++;
        }
        return count == 0 ? "must contain at least one CERTIFICATE PEM block" : null;
    }

    private static byte[] bytes(Matcher block) {
        try {
            return Base64.getMimeDecoder().decode(block.group(2));
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private static boolean isCertificate(byte[] der) {
        try {
            CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }
}
