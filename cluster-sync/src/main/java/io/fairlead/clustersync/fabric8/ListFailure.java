package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.Findings;
import io.fairlead.net.UpstreamFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Why a list failed.
 *
 * @param finding the condition
 * @param away whether the server was unreachable or not ready, so that an attempt may succeed as soon as it is
 * @param excess whether its answer exceeded a limit
 */
record ListFailure(Finding finding, boolean away, Excess excess) {
    /** Which limit was exceeded. */
    enum Excess {
        NONE,
        /** Of what is read at once: smaller pages may do. */
        OF_READING,
        /** Of what is kept. */
        OF_KEEPING
    }

    /** The reason of a delayed list, since the last one did not stay current for long. */
    static final String TOO_SOON = "HistoryForgotten";

    /** The same, since the watch after it cannot be relied on. */
    static final String WENT_BACKWARDS = "WatchWentBackwards";

    /** Of a failure; causes may be cyclic. */
    private static final int CAUSES_MAX = 10;

    ListFailure(Finding finding, boolean away) {
        this(finding, away, Excess.NONE);
    }

    boolean isTooSoon() {
        return finding.reason().equals(TOO_SOON) || finding.reason().equals(WENT_BACKWARDS);
    }

    /** For a watch that went back again, soon after the list that was due to that. */
    static ListFailure wentBackwards(String path) {
        return new ListFailure(
                Finding.no(
                        WENT_BACKWARDS,
                        "the watch of " + path + " sent a change that is older than what it had sent, soon after the"
                                + " last complete list"),
                false);
    }

    /**
     * The condition for a failure of fabric8's.
     *
     * @param withoutCredential hides Fairlead's own credential in what the server says
     */
    static ListFailure of(Throwable problem, Subject<?> subject, UnaryOperator<String> withoutCredential) {
        TooMuchException tooMuch = TooMuchException.in(problem);
        if (tooMuch != null) {
            return of(tooMuch);
        }
        UpstreamFailure failure = UpstreamException.in(problem);
        if (failure != null) {
            return new ListFailure(Findings.of(failure), failure.kind() != UpstreamFailure.Kind.PROTOCOL);
        }
        for (Throwable cause : causes(problem)) {
            if (cause instanceof KubernetesClientException answer && answer.getCode() >= 400) {
                return new ListFailure(
                        Findings.ofAnswer(answer.getCode(), subject.path(), withoutCredential.apply(detailOf(answer))),
                        answer.getCode() >= 500);
            }
        }
        return new ListFailure(
                Finding.no(
                        "ListFailed",
                        "the answer to " + subject.path() + " is not a list of "
                                + subject.type().getSimpleName()),
                false);
    }

    /** For more than may be read or kept. */
    static ListFailure of(TooMuchException tooMuch) {
        return new ListFailure(
                Finding.no("AnswerTooLarge", tooMuch.said()),
                false,
                tooMuch.isToKeep() ? Excess.OF_KEEPING : Excess.OF_READING);
    }

    /** For a list that did not end in time. */
    static ListFailure notComplete(String path, Duration within) {
        return new ListFailure(
                Finding.no(
                        "ListTimeout", "the list of " + path + " was not complete within " + within.toSeconds() + " s"),
                true);
    }

    private static List<Throwable> causes(Throwable problem) {
        return Stream.iterate(problem, Objects::nonNull, Throwable::getCause)
                .limit(CAUSES_MAX)
                .toList();
    }

    private static String detailOf(KubernetesClientException answer) {
        return answer.getStatus() == null ? "" : Claims.text(answer.getStatus().getMessage());
    }
}
