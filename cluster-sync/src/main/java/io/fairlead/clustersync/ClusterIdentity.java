package io.fairlead.clustersync;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.Findings;
import io.fairlead.net.Introduction;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Upstream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/*
 * Two API servers are of one cluster if they read one store. Nothing of an API server says which store that is, but the uid of
 * namespace kube-system is given once, when a store is first served, and no two stores share it unless one is a copy of the
 * other. So the endpoints of the cluster are asked for it, and any other server of that cluster must name the same one.
 *
 * Only what was said counts: a server that does not say, or may not be asked, is not taken for one of the cluster. What the
 * endpoints said holds while they are away, since they would have to come back to be another cluster's; it is asked anew with
 * every probe, and forgotten when other endpoints are named or the cluster's history proves to be another. An answer to a
 * question that was put before is of no use then: the epoch tells.
 */
/**
 * Which cluster an attached cluster's endpoints lead to, and whether other servers are of the same one.
 *
 * <p>Thread-safe; never blocks.
 */
final class ClusterIdentity implements Introduction {
    static final String PATH = "/api/v1/namespaces/kube-system";

    /** The reason of a server that is of another cluster. */
    static final String ANOTHER_CLUSTER = "AnotherCluster";

    private static final int BODY_BYTES_MAX = 512 * 1024;
    private static final int UID_CHARS_MAX = 128;
    private static final char DELETE = 0x7f;
    private static final Finding NOT_REFUSED = Finding.unknown("Pending", "no server was refused");

    /**
     * What the endpoints said.
     *
     * @param uid the uid, empty if they did not say
     * @param why why they did not; says nothing else
     * @param moved whether it is another one than they said before
     */
    private record Said(String uid, Finding why, boolean moved) {}

    private final Upstream endpoints;
    private final Supplier<@Nullable String> bearerToken;
    private final Duration timeout;

    private int epoch;
    private String known = "";
    private @Nullable CompletableFuture<Said> asking;
    private volatile Finding refusal = NOT_REFUSED;

    /**
     * Over the connections to the endpoints.
     *
     * @param timeout until an answer counts as none
     */
    ClusterIdentity(Upstream endpoints, Supplier<@Nullable String> bearerToken, Duration timeout) {
        this.endpoints = endpoints;
        this.bearerToken = bearerToken;
        this.timeout = timeout;
    }

    /** Asks the endpoints anew; completes with whether they turned out to be another cluster's than before. */
    CompletableFuture<Boolean> confirm() {
        return ask().thenApply(Said::moved);
    }

    /** What the endpoints said counts for nothing any more. */
    synchronized void forget() {
        epoch++;
        known = "";
        asking = null;
    }

    /** Whether a server that answers so is one of this cluster's. */
    CompletableFuture<Finding> compare(int status, JsonNode document) {
        String theirs = uid(status, document);
        return theirs.isEmpty()
                ? CompletableFuture.completedFuture(unsaid(status, document))
                : said().thenApply(said -> compare(theirs, said));
    }

    /** Why a connection was not approved last. */
    Finding refusal() {
        return refusal;
    }

    @Override
    public RequestHead question() {
        return DocumentRequest.head(PATH, null);
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    @Override
    public CompletableFuture<Optional<String>> judge(int status, byte[] body) {
        return compare(status, DocumentRequest.read(body)).thenApply(finding -> {
            if (finding.status() == Finding.Status.TRUE) {
                return Optional.empty();
            }
            refusal = finding;
            return Optional.of(finding.message());
        });
    }

    private CompletableFuture<Said> said() {
        synchronized (this) {
            if (!known.isEmpty()) {
                return CompletableFuture.completedFuture(new Said(known, NOT_REFUSED, false));
            }
        }
        return ask();
    }

    private synchronized CompletableFuture<Said> ask() {
        if (asking != null) {
            return asking;
        }
        int asked = epoch;
        CompletableFuture<Said> answer = new CompletableFuture<>();
        asking = answer;
        DocumentRequest.get(endpoints, PATH, bearerToken.get(), timeout, BODY_BYTES_MAX)
                .thenAccept(outcome -> answer.complete(heard(outcome, asked)));
        return answer;
    }

    private synchronized Said heard(DocumentRequest.Outcome outcome, int asked) {
        if (asked != epoch) {
            return new Said("", Finding.unknown("Pending", "the endpoints have changed meanwhile"), false);
        }
        asking = null;
        return switch (outcome) {
            case DocumentRequest.Outcome.Failed failed -> new Said("", Findings.of(failed.failure()), false);
            case DocumentRequest.Outcome.Answered answered -> heard(answered.status(), answered.document());
        };
    }

    private synchronized Said heard(int status, JsonNode document) {
        String uid = uid(status, document);
        if (uid.isEmpty()) {
            return new Said("", unsaid(status, document), false);
        }
        boolean moved = !known.isEmpty() && !known.equals(uid);
        known = uid;
        return new Said(uid, NOT_REFUSED, moved);
    }

    private static Finding compare(String theirs, Said said) {
        if (said.uid().isEmpty()) {
            return Finding.unknown(
                    "IdentityNotKnown",
                    "it is not known whether the server is of this cluster, since spec.attached.endpoints do not say"
                            + " which cluster they are of: " + said.why().message());
        }
        return theirs.equals(said.uid())
                ? Finding.yes(
                        "Reachable",
                        "the API servers answer, and are of this cluster: uid " + theirs
                                + " of namespace kube-system is that of spec.attached.endpoints")
                : Finding.no(
                        ANOTHER_CLUSTER,
                        "the server is of another cluster: namespace kube-system has uid " + theirs + " there and "
                                + said.uid()
                                + " at spec.attached.endpoints (expected API servers over the same store)");
    }

    private static String uid(int status, JsonNode document) {
        String uid = status == 200 ? document.at("/metadata/uid").asString("") : "";
        return uid.length() <= UID_CHARS_MAX && uid.chars().allMatch(c -> c > ' ' && c < DELETE) ? uid : "";
    }

    private static Finding unsaid(int status, JsonNode document) {
        if (status == 403 && Findings.isAnonymous(document.path("message").asString(""))) {
            return Findings.ofAnswer(status, PATH, document.path("message").asString(""));
        }
        Finding finding = Findings.ofAnswer(status, PATH, "");
        return switch (status) {
            case 200 ->
                Finding.no("NotKubernetes", "the answer to " + PATH + " has no uid: is it a Kubernetes API server?");
            case 403 ->
                Finding.no(
                        finding.reason(),
                        finding.message()
                                + " (expected the rights that 'fairlead cluster attach --print-rbac' prints)");
            default -> finding;
        };
    }
}
