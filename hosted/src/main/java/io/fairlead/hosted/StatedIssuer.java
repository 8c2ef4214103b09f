package io.fairlead.hosted;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who issues tokens of ServiceAccounts, by what the tokens say. */
public final class StatedIssuer {
    /** Of tokens on request. It is a name and no address, the same for all hosted clusters, as in clusters made by kubeadm. */
    public static final String TOKENS = "https://kubernetes.default.svc.cluster.local";

    /** Of tokens in Secrets. */
    public static final String SECRETS = "kubernetes/serviceaccount";

    /** As many as the head of a request can have. */
    private static final int TOKEN_CHARS_MAX = 64 * 1024;

    private static final List<String> ISSUERS = List.of('"' + TOKENS + '"', '"' + SECRETS + '"');

    private StatedIssuer() {}

    /** By a look at the bytes of the claims: those that clusters sign have the issuer unescaped. */
    static boolean isOfHostedClusters(String token) {
        byte[] claims = claims(token);
        if (claims == null) {
            return false;
        }
        String text = new String(claims, ISO_8859_1);
        return ISSUERS.stream().anyMatch(text::contains);
    }

    /** The bytes of a token's claims, of which nothing is verified; null if it has none, or is longer than a request can have. */
    public static byte @Nullable [] claims(String token) {
        int first = token.indexOf('.');
        int last = token.lastIndexOf('.');
        if (first < 0 || last <= first || token.indexOf('.', first + 1) != last || token.length() > TOKEN_CHARS_MAX) {
            return null;
        }
        try {
            return Base64.getUrlDecoder().decode(token.substring(first + 1, last));
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }
}
