package io.fairlead.hosted.identity;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What tokens claim, in the words of kubernetes {@code pkg/serviceaccount}: those that expire, and those in Secrets. */
final class TokenClaims {
    /** The member with the claims that only Kubernetes knows. */
    static final String PRIVATE = "kubernetes.io";

    static final String USER_PREFIX = "system:serviceaccount:";
    static final String LEGACY_NAMESPACE = "kubernetes.io/serviceaccount/namespace";
    static final String LEGACY_SECRET = "kubernetes.io/serviceaccount/secret.name";
    static final String LEGACY_ACCOUNT = "kubernetes.io/serviceaccount/service-account.name";
    static final String LEGACY_UID = "kubernetes.io/serviceaccount/service-account.uid";

    private TokenClaims() {}

    /**
     * Those of a token that expires.
     *
     * @param id its own, for logs
     */
    static byte[] bound(
            ObjectNode account, Binding binding, List<String> audiences, Instant now, Instant expiry, String id) {
        ObjectNode claims = Json.object();
        audiences.forEach(claims.putArray("aud")::add);
        claims.put("exp", expiry.getEpochSecond())
                .put("iat", now.getEpochSecond())
                .put("iss", ServiceAccountTokens.ISSUER)
                .put("jti", id);
        ObjectNode ofKubernetes = claims.putObject(PRIVATE).put("namespace", Meta.namespace(account));
        binding.addTo(ofKubernetes);
        ofKubernetes.set("serviceaccount", new Binding.Ref(Meta.name(account), Meta.uid(account)).claim());
        return Json.write(claims.put("nbf", now.getEpochSecond()).put("sub", user(account)));
    }

    /** Those of the token in a Secret, which is valid as long as the Secret is there. */
    static byte[] legacy(ObjectNode account, String secret) {
        return Json.write(Json.object()
                .put("iss", ServiceAccountTokens.LEGACY_ISSUER)
                .put(LEGACY_NAMESPACE, Meta.namespace(account))
                .put(LEGACY_SECRET, secret)
                .put(LEGACY_ACCOUNT, Meta.name(account))
                .put(LEGACY_UID, Meta.uid(account))
                .put("sub", user(account)));
    }

    /** The name of a ServiceAccount as a user. */
    static String user(String namespace, String name) {
        return USER_PREFIX + namespace + ":" + name;
    }

    private static String user(ObjectNode account) {
        return user(Meta.namespace(account), Meta.name(account));
    }

    /** A text among claims, empty if it is none. */
    static String text(JsonNode claims, String name) {
        JsonNode claim = claims.path(name);
        return claim.isString() ? claim.stringValue() : "";
    }

    /** The audiences, which are one text or several. */
    static List<String> audiences(JsonNode claims) {
        JsonNode audiences = claims.path("aud");
        return audiences.isString() ? List.of(audiences.stringValue()) : Meta.strings(audiences);
    }
}
