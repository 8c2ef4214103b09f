package io.fairlead.clustersync;

import io.fairlead.net.Upstream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a cluster for the highest resourceVersion of its store, by a list of one object. The list names no resourceVersion, so
 * that it is consistent: at least as new as all that the cluster had answered before the list.
 *
 * <p>At most one list is under way. Who asks meanwhile waits for the next one, since a list that was sent before the
 * question may be older than what the question is about.
 *
 * <p>Threads: any; never blocks.
 */
final class HeadQuestion {
    static final String PATH = "/apis/apiregistration.k8s.io/v1/apiservices?limit=1";

    private static final int BODY_BYTES_MAX = 512 * 1024;

    private final Upstream upstream;
    private final Supplier<@Nullable String> bearerToken;
    private final Duration timeout;

    private @Nullable CompletableFuture<String> asking;
    private @Nullable CompletableFuture<String> next;

    /** @param timeout after which there is no answer */
    HeadQuestion(Upstream upstream, Supplier<@Nullable String> bearerToken, Duration timeout) {
        this.upstream = upstream;
        this.bearerToken = bearerToken;
        this.timeout = timeout;
    }

    /** The resourceVersion; empty if the cluster does not say. Never fails. */
    CompletableFuture<String> ask() {
        CompletableFuture<String> mine;
        synchronized (this) {
            if (asking != null) {
                next = next == null ? new CompletableFuture<>() : next;
                return next;
            }
            mine = new CompletableFuture<>();
            asking = mine;
        }
        send(mine);
        return mine;
    }

    private void send(CompletableFuture<String> question) {
        try {
            DocumentRequest.get(upstream, PATH, bearerToken.get(), timeout, BODY_BYTES_MAX)
                    .thenAccept(outcome -> answered(question, head(outcome)));
        } catch (RuntimeException notSent) { // as while connections are closed; those that wait must not wait for ever
            answered(question, "");
        }
    }

    private void answered(CompletableFuture<String> question, String head) {
        CompletableFuture<String> following;
        synchronized (this) {
            following = next;
            asking = next;
            next = null;
        }
        if (following != null) {
            send(following);
        }
        question.complete(head);
    }

    private static String head(DocumentRequest.Outcome outcome) {
        return switch (outcome) {
            case DocumentRequest.Outcome.Failed _ -> "";
            case DocumentRequest.Outcome.Answered answered ->
                answered.status() == 200
                        ? answered.document().at("/metadata/resourceVersion").asString("")
                        : "";
        };
    }
}
