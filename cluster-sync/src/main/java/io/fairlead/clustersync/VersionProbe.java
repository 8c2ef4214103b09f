package io.fairlead.clustersync;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.Findings;
import io.fairlead.net.Upstream;
import io.fairlead.net.WholeAnswer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Asks an API server for its version, which shows whether it is one, and whether it accepts the credential. */
final class VersionProbe {
    private static final String PATH = "/version";
    private static final int BODY_BYTES_MAX = 64 * 1024;

    private VersionProbe() {}

    /**
     * The server's answer.
     *
     * @param reachable whether it is a Kubernetes API server that accepts the credential
     * @param version its {@code gitVersion}, empty if it is not
     */
    record Answer(Finding reachable, String version) {}

    /** Completes with the result, never exceptionally, on an event loop. */
    static CompletableFuture<Answer> ask(Upstream upstream, @Nullable String bearerToken, Duration timeout) {
        return WholeAnswer.of(
                        upstream, DocumentRequest.head(PATH, bearerToken), Upstream.Kind.SHORT, timeout, BODY_BYTES_MAX)
                .thenApply(answer -> judge(upstream, answer));
    }

    private static Answer judge(Upstream upstream, WholeAnswer.Outcome answer) {
        return answer instanceof WholeAnswer.TooLong(int status) && status == 200
                ? notKubernetes("is larger than " + BODY_BYTES_MAX + " bytes")
                : judge(DocumentRequest.outcome(upstream, answer));
    }

    private static Answer judge(DocumentRequest.Outcome outcome) {
        return switch (outcome) {
            case DocumentRequest.Outcome.Failed failed -> new Answer(Findings.of(failed.failure()), "");
            case DocumentRequest.Outcome.Answered answered -> judge(answered.status(), answered.document());
        };
    }

    private static Answer judge(int status, JsonNode document) {
        if (status != 200) {
            return new Answer(
                    Findings.ofAnswer(status, PATH, document.path("message").asString("")), "");
        }
        String version = document.path("gitVersion").asString("");
        if (version.isEmpty()) {
            return notKubernetes("has no gitVersion");
        }
        return new Answer(Finding.yes("Reachable", "the API server answers"), version);
    }

    private static Answer notKubernetes(String why) {
        return new Answer(
                Finding.no("NotKubernetes", "the answer to " + PATH + " " + why + ": is it a Kubernetes API server?"),
                "");
    }
}
