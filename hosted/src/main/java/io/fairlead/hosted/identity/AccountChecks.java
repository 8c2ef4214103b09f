package io.fairlead.hosted.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.hosted.identity.TokenObjects.Kind;
import io.fairlead.model.UserInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Whether what a signed token claims still holds (kubernetes {@code pkg/serviceaccount}): its times, its ServiceAccount and what it is
 * bound to.
 *
 * <p>One clock signs and verifies, so that a token has no minute of grace beyond its expiry, nor beyond a deletion, as it has with
 * kube-apiserver. Only a clock that was set back is forgiven. Threads: any.
 */
final class AccountChecks {
    /** By how much the clock may have been set back since the token was signed. */
    private static final Duration SET_BACK_MAX = Duration.ofMinutes(1);

    private static final String GROUP = "system:serviceaccounts";
    private static final String EXTRA = "authentication.kubernetes.io/";

    private final TokenObjects objects;
    private final InstantSource clock;

    AccountChecks(TokenObjects objects, InstantSource clock) {
        this.objects = objects;
        this.clock = clock;
    }

    /** A claim does not hold. Only for the callers of the checks. */
    static final class FailedCheckException extends Exception {
        private static final long serialVersionUID = 1L;

        private final String reason;

        FailedCheckException(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    /** The user of a token that expires. */
    UserInfo bound(JsonNode claims) throws FailedCheckException {
        Instant now = clock.instant();
        checkTimes(claims, now);
        JsonNode ofKubernetes = claims.path(TokenClaims.PRIVATE);
        String namespace = TokenClaims.text(ofKubernetes, "namespace");
        JsonNode account = ofKubernetes.path("serviceaccount");
        String name = TokenClaims.text(account, "name");
        String uid = TokenClaims.text(account, "uid");
        Standing standing = account(namespace, name);
        require(
                standing.uid().equals(uid),
                "service account UID (" + standing.uid() + ") does not match claim (" + uid + ")");
        require(!standing.isDeleted(now), "service account " + namespace + "/" + name + " has been deleted");
        JsonNode pod = ofKubernetes.path(Binding.POD);
        JsonNode node = ofKubernetes.path(Binding.NODE);
        checkBound(Kind.SECRET, namespace, ofKubernetes.path(Binding.SECRET), now);
        checkBound(Kind.POD, namespace, pod, now);
        if (!pod.isObject()) {
            checkBound(Kind.NODE, "", node, now);
        }
        return user(namespace, name, uid, extra(claims, pod, node));
    }

    /** The user of the token in a Secret. */
    UserInfo legacy(String token, JsonNode claims) throws FailedCheckException {
        String namespace = required(claims, TokenClaims.LEGACY_NAMESPACE, "namespace");
        String secretName = required(claims, TokenClaims.LEGACY_SECRET, "secretName");
        String name = required(claims, TokenClaims.LEGACY_ACCOUNT, "serviceAccountName");
        String uid = required(claims, TokenClaims.LEGACY_UID, "serviceAccountUID");
        require(TokenClaims.text(claims, "sub").equals(TokenClaims.user(namespace, name)), "sub claim is invalid");
        Standing secret = objects.standing(Kind.SECRET, namespace, secretName)
                .filter(found -> !found.isTerminating())
                .orElseThrow(() -> new FailedCheckException("Token has been invalidated"));
        require(
                secret.tokenDigest().equals(TokenDigest.of(token.getBytes(UTF_8))),
                "Token does not match server's copy");
        Standing account = account(namespace, name);
        require(!account.isTerminating(), "ServiceAccount " + namespace + "/" + name + " has been deleted");
        require(
                account.uid().equals(uid),
                "ServiceAccount UID (" + account.uid() + ") does not match claim (" + uid + ")");
        require(
                !secret.isMarkedInvalid(),
                "the token in secret " + namespace + "/" + secretName + " for service account " + namespace + "/" + name
                        + " has been marked invalid. Use tokens from the TokenRequest API or manually created"
                        + " secret-based tokens, or remove the '" + Standing.INVALID_SINCE
                        + "' label from the secret to temporarily allow use of this token");
        return user(namespace, name, uid, Map.of());
    }

    private static void checkTimes(JsonNode claims, Instant now) throws FailedCheckException {
        Instant soon = now.plus(SET_BACK_MAX);
        require(now.isBefore(time(claims, "exp")), "service account token has expired");
        require(!time(claims, "nbf").isAfter(soon), "service account token is not valid yet");
        require(!time(claims, "iat").isAfter(soon), "service account token is issued in the future");
    }

    private static Instant time(JsonNode claims, String name) throws FailedCheckException {
        JsonNode seconds = claims.path(name);
        require(seconds.isIntegralNumber() && seconds.canConvertToLong(), name + " claim is missing");
        return Instant.ofEpochSecond(Math.clamp(seconds.longValue(), 0, Instant.MAX.getEpochSecond()));
    }

    private Standing account(String namespace, String name) throws FailedCheckException {
        return objects.standing(Kind.SERVICE_ACCOUNT, namespace, name)
                .orElseThrow(() -> new FailedCheckException("serviceaccounts \"" + name + "\" not found"));
    }

    /** Checks what a token is bound to, if it names such an object. */
    private void checkBound(Kind kind, String namespace, JsonNode ref, Instant now) throws FailedCheckException {
        if (!ref.isObject()) {
            return;
        }
        Standing standing = objects.standing(kind, namespace, TokenClaims.text(ref, "name"))
                .orElseThrow(() -> new FailedCheckException("service account token has been invalidated"));
        String uid = standing.uid();
        String what = kind.plural().substring(0, kind.plural().length() - 1);
        require(
                uid.equals(TokenClaims.text(ref, "uid")),
                what + " UID (" + uid + ") does not match service account " + what + " ref claim ("
                        + TokenClaims.text(ref, "uid") + ")");
        require(!standing.isDeleted(now), "service account token has been invalidated");
    }

    private static Map<String, List<String>> extra(JsonNode claims, JsonNode pod, JsonNode node) {
        Map<String, List<String>> extra = new HashMap<>();
        String id = TokenClaims.text(claims, "jti");
        if (!id.isEmpty()) {
            extra.put(EXTRA + "credential-id", List.of("JTI=" + id));
        }
        if (!TokenClaims.text(pod, "name").isEmpty()
                && !TokenClaims.text(pod, "uid").isEmpty()) {
            extra.put(EXTRA + "pod-name", List.of(TokenClaims.text(pod, "name")));
            extra.put(EXTRA + "pod-uid", List.of(TokenClaims.text(pod, "uid")));
        }
        if (!TokenClaims.text(node, "name").isEmpty()) {
            extra.put(EXTRA + "node-name", List.of(TokenClaims.text(node, "name")));
            if (!TokenClaims.text(node, "uid").isEmpty()) {
                extra.put(EXTRA + "node-uid", List.of(TokenClaims.text(node, "uid")));
            }
        }
        return extra;
    }

    private static UserInfo user(String namespace, String name, String uid, Map<String, List<String>> extra) {
        return new UserInfo(TokenClaims.user(namespace, name), uid, List.of(GROUP, GROUP + ":" + namespace), extra);
    }

    private static String required(JsonNode claims, String name, String said) throws FailedCheckException {
        String text = TokenClaims.text(claims, name);
        require(!text.isEmpty(), said + " claim is missing");
        return text;
    }

    private static void require(boolean holds, String otherwise) throws FailedCheckException {
        if (!holds) {
            throw new FailedCheckException(otherwise);
        }
    }
}
