package io.fairlead.fleet.publication;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.credentials.Pem;
import io.fairlead.credentials.pki.KeyedCertificate;
import io.fairlead.credentials.pki.SigningAuthority;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The CAs of the certificates of backends. One replaces another in three steps, so that what is presented is always trusted: the
 * next one is told to all, then it signs, then the previous one is told no more. Immutable.
 *
 * @param signing signs
 * @param next will sign; not together with a previous one
 * @param previous has signed what may be presented still: a certificate, PEM
 */
record AuthorityRing(SigningAuthority signing, Optional<SigningAuthority> next, Optional<String> previous) {
    private static final String SIGNING = "tls";
    private static final String NEXT = "next";
    private static final String PREVIOUS = "previous.crt";
    private static final String CERTIFICATE = ".crt";
    private static final String KEY = ".key";

    static AuthorityRing of(SigningAuthority signing) {
        return new AuthorityRing(signing, Optional.empty(), Optional.empty());
    }

    /** What all trust: PEM certificates, oldest first, so that it is the same before and after another one signs. */
    String bundle() {
        return previous.orElse("")
                + signing.certificate()
                + next.map(SigningAuthority::certificate).orElse("");
    }

    /** Whether a CA that signs follows this state: it signs already, or is the next one. */
    boolean mayBecome(SigningAuthority other) {
        return signing.equals(other) || next.filter(other::equals).isPresent();
    }

    AuthorityRing withNext(SigningAuthority other) {
        return new AuthorityRing(signing, Optional.of(other), Optional.empty());
    }

    /** The next one signs. */
    AuthorityRing switched() {
        return new AuthorityRing(next.orElseThrow(), Optional.empty(), Optional.of(signing.certificate()));
    }

    AuthorityRing withoutPrevious() {
        return AuthorityRing.of(signing);
    }

    /**
     * Those of a Secret.
     *
     * @throws IllegalArgumentException naming the key whose value cannot be used
     */
    static AuthorityRing of(JsonNode secret, Instant now) {
        JsonNode data = secret.path("data");
        boolean hasNext = data.has(NEXT + CERTIFICATE) || data.has(NEXT + KEY);
        return new AuthorityRing(
                read(data, SIGNING, now),
                hasNext ? Optional.of(read(data, NEXT, now)) : Optional.empty(),
                hasNext || !data.has(PREVIOUS)
                        ? Optional.empty()
                        : Optional.of(Pem.text(
                                Pem.certificates(PREVIOUS, text(data, PREVIOUS)).getFirst())));
    }

    /** That of a Secret which signs, whatever else it has. */
    static AuthorityRing signingOf(JsonNode secret, Instant now) {
        return of(read(secret.path("data"), SIGNING, now));
    }

    /** Puts them in place of what a Secret has of them; what else it has stays. */
    void write(ObjectNode secret) {
        ObjectNode data = secret.withObjectProperty("data");
        data.remove(List.of(NEXT + CERTIFICATE, NEXT + KEY, PREVIOUS));
        put(data, SIGNING, signing.keyed());
        next.ifPresent(authority -> put(data, NEXT, authority.keyed()));
        previous.ifPresent(certificate -> data.put(PREVIOUS, encoded(certificate)));
    }

    private static SigningAuthority read(JsonNode data, String name, Instant now) {
        try {
            return SigningAuthority.of(text(data, name + CERTIFICATE), text(data, name + KEY), now);
        } catch (IllegalArgumentException unusable) {
            throw new IllegalArgumentException(
                    name + CERTIFICATE + ", " + name + KEY + ": " + unusable.getMessage(), unusable);
        }
    }

    private static String text(JsonNode data, String key) {
        try {
            return new String(Base64.getDecoder().decode(data.path(key).asString("")), UTF_8);
        } catch (IllegalArgumentException notBase64) {
            throw new IllegalArgumentException(key + " is not base64", notBase64);
        }
    }

    private static void put(ObjectNode data, String name, KeyedCertificate authority) {
        data.put(name + CERTIFICATE, encoded(authority.certificate()));
        data.put(name + KEY, encoded(authority.key()));
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
