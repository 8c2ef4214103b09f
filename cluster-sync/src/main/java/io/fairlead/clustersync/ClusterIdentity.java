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
 * Two API servers are of one cluster if they read one store. An API server does not reveal which store that is, but the
 * uid of namespace kube-system is assigned once, when a store is first served, and two stores share it only if one is a
 * copy of the other. So this class reads it from the endpoints of the cluster, and every other server of that cluster
 * must have the same one. Only an answer counts: a server that does not answer, or denies the read, is not taken for
 * one of the cluster. The endpoints' answer holds while they are unreachable, since they would have to return to be
 * another cluster's; it is read again with every probe, and dropped when the endpoints change or the cluster's history
 * proves to be another. The epoch rejects answers to earlier requests then.
 */
/**
 * Identifies the cluster behind an attached cluster's endpoints, and whether other servers belong to it.
 *
 * <p>Thread-safe; never blocks.
 */
final class ClusterIdentity implements Introduction {
    static final String PATH = "/api/v1/namespaces/kube-system";

    /** The reason for a server of another cluster. */
    static final String ANOTHER_CLUSTER = "AnotherCluster";

    private static final int BODY_BYTES_MAX = 512 * 1024;
    private static final int UID_CHARS_MAX = 128;
    private static final char DELETE = 0x7f;
    private static final Finding NOT_REFUSED = Finding.unknown("Pending", "no server was refused");

    /**
     * The endpoints' answer.
     *
     * @param uid the uid, empty without an answer
     * @param why the reason for having none
     * @param moved whether the uid differs from the previous one
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
     * @param timeout after which there is no answer
     */
    ClusterIdentity(Upstream endpoints, Supplier<@Nullable String> bearerToken, Duration timeout) {
        this.endpoints = endpoints;
        this.bearerToken = bearerToken;
        this.timeout = timeout;
    }

    /** Asks the endpoints again; completes with whether they turned out to be another cluster's. */
    CompletableFuture<Boolean> confirm() {
        return ask().thenApply(Said::moved);
    }

    /** Drops the endpoints' answer. */
    synchronized void forget() {
        epoch++;
        known = "";
        asking = null;
    }

    /** Whether a server with this answer belongs to this cluster. */
    CompletableFuture<Finding> compare(int status, JsonNode document) {
        String theirs = uid(status, document);
        return theirs.isEmpty()
                ? CompletableFuture.completedFuture(unsaid(status, document))
                : said().thenApply(said -> compare(theirs, said));
    }

    /** The reason for the last rejected connection. */
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

    static String uid(int status, JsonNode document) {
        String uid = status == 200 ? document.at("/metadata/uid").asString("") : "";
        return uid.length() <= UID_CHARS_MAX && uid.chars().allMatch(c -> c > ' ' && c < DELETE) ? uid : "";
    }

    static Finding unsaid(int status, JsonNode document) {
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
                                + " (expected the rights that 'fairlead cluster attach --print-rbac' prints for the"
                                + " cluster's --identity)");
            default -> finding;
        };
    }
}
