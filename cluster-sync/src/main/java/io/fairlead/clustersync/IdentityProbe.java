package io.fairlead.clustersync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.Findings;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads which cluster a server is of: the uid of its namespace kube-system, corroborated by the keys that sign its
 * ServiceAccounts' tokens and by the CA that verified it. Both answers are bounded in time and in bytes.
 */
final class IdentityProbe {
    static final String KEYS_PATH = "/openid/v1/jwks";

    /** The reason and the cause of Fairlead's refusal of a request that it has sent itself. */
    static final String LOOP_DETECTED = "LoopDetected";

    private static final int LOOP_DETECTED_CODE = 508;
    private static final int BODY_BYTES_MAX = 512 * 1024;
    private static final int KEYS_MAX = 32;

    private IdentityProbe() {}

    /**
     * What was read.
     *
     * @param fingerprint empty if the cluster is not identified
     * @param isAnswer whether a server has answered
     */
    record Reading(Optional<ClusterFingerprint> fingerprint, Finding verified, boolean isAnswer) {}

    /**
     * Completes with the result, never exceptionally, on an event loop.
     *
     * @param early receives what the namespace says as soon as it does, before keys are known
     */
    static CompletableFuture<Reading> ask(
            Upstream upstream,
            UpstreamSpec spec,
            @Nullable String bearerToken,
            Duration timeout,
            Consumer<Reading> early) {
        CompletableFuture<DocumentRequest.Outcome> keys =
                DocumentRequest.get(upstream, KEYS_PATH, bearerToken, timeout, BODY_BYTES_MAX);
        return DocumentRequest.get(upstream, ClusterIdentity.PATH, bearerToken, timeout, BODY_BYTES_MAX)
                .whenComplete((namespace, _) -> {
                    if (namespace instanceof DocumentRequest.Outcome.Answered answered && !keys.isDone()) {
                        early.accept(judge(answered, Collections.emptyNavigableSet(), digest(spec.caBundle())));
                    }
                })
                .thenCombine(keys, (namespace, signing) -> judge(namespace, signing, digest(spec.caBundle())));
    }

    private static Reading judge(DocumentRequest.Outcome namespace, DocumentRequest.Outcome keys, String servingCa) {
        return switch (namespace) {
            case DocumentRequest.Outcome.Failed failed -> {
                Finding why = Findings.of(failed.failure());
                yield unverified(why.reason(), why.message(), false);
            }
            case DocumentRequest.Outcome.Answered answered -> judge(answered, signingKeys(keys), servingCa);
        };
    }

    private static Reading judge(
            DocumentRequest.Outcome.Answered namespace, NavigableSet<String> keys, String servingCa) {
        if (isLoop(namespace)) {
            return new Reading(
                    Optional.empty(),
                    Finding.no(
                            ObservedIdentity.SELF,
                            "the endpoints lead back to this Fairlead, directly or through others (expected those of a"
                                    + " cluster's own API servers)"),
                    true);
        }
        String uid = ClusterIdentity.uid(namespace.status(), namespace.document());
        if (uid.isEmpty()) {
            Finding why = ClusterIdentity.unsaid(namespace.status(), namespace.document());
            return unverified(why.reason(), why.message(), true);
        }
        return new Reading(
                Optional.of(new ClusterFingerprint(uid, keys, servingCa)),
                Finding.yes(
                        "Verified",
                        "namespace kube-system has uid " + uid
                                + (keys.isEmpty()
                                        ? "; the keys that sign ServiceAccounts' tokens are not known (expected the"
                                                + " right to get " + KEYS_PATH + ")"
                                        : " and ServiceAccounts' tokens are signed by "
                                                + (keys.size() == 1 ? "1 key" : keys.size() + " keys"))),
                true);
    }

    private static boolean isLoop(DocumentRequest.Outcome.Answered answered) {
        return answered.status() == LOOP_DETECTED_CODE
                && answered.document().path("reason").asString("").equals(LOOP_DETECTED);
    }

    /** Unknown, whatever the reason: a cluster that is not identified may be another registration's. */
    private static Reading unverified(String reason, String message, boolean isAnswer) {
        return new Reading(
                Optional.empty(),
                Finding.unknown(reason, "it is not known which cluster this is: " + message),
                isAnswer);
    }

    private static NavigableSet<String> signingKeys(DocumentRequest.Outcome keys) {
        NavigableSet<String> thumbprints = new TreeSet<>();
        if (keys instanceof DocumentRequest.Outcome.Answered(int status, JsonNode document) && status == 200) {
            for (JsonNode key : document.path("keys").values()) {
                thumbprint(key).ifPresent(thumbprints::add);
                if (thumbprints.size() > KEYS_MAX) {
                    thumbprints.removeLast();
                }
            }
        }
        return thumbprints;
    }

    /** Of the members that RFC 7638 section 3.2 requires, in their order. */
    private static Optional<String> thumbprint(JsonNode key) {
        String type = key.path("kty").asString("");
        return switch (type) {
            case "RSA" -> Optional.of(digest(type + "." + text(key, "e") + "." + text(key, "n")));
            case "EC" ->
                Optional.of(digest(type + "." + text(key, "crv") + "." + text(key, "x") + "." + text(key, "y")));
            default -> Optional.empty();
        };
    }

    private static String text(JsonNode key, String member) {
        return key.path(member).asString("");
    }

    private static String digest(@Nullable String text) {
        if (text == null) {
            return "";
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // Every JDK has it.
        }
    }
}
