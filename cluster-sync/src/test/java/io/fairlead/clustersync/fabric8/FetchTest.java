package io.fairlead.clustersync.fabric8;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.AskedUpstream;
import io.fairlead.http.FieldName;
import io.fairlead.net.UpstreamFailure;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FetchTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int BYTES_MAX = 10;

    private final AskedUpstream upstream = new AskedUpstream();

    @Test
    void answer_isTheWholeBody_whateverItsCode() {
        CompletableFuture<Fetch.Answer> answer = get("t0ken");

        upstream.answer(404, "01234", "56789");

        assertThat(answer.join().status()).isEqualTo(404);
        assertThat(answer.join().body()).isEqualTo("0123456789".getBytes(UTF_8));
        assertThat(upstream.heads()).singleElement().satisfies(head -> {
            assertThat(head.target()).isEqualTo("/x?limit=1");
            assertThat(head.fields().get(FieldName.ACCEPT)).isEqualTo("text/plain");
            assertThat(head.fields().get(FieldName.AUTHORIZATION)).isEqualTo("Bearer t0ken");
        });
        assertThat(upstream.hasDeadline()).isFalse();
    }

    @Test
    void withoutAToken_noneIsSent() {
        get(null);

        assertThat(upstream.heads().getFirst().fields().contains(FieldName.AUTHORIZATION))
                .isFalse();
    }

    @Test
    void bodyBeyondItsBound_isAFailure() {
        CompletableFuture<Fetch.Answer> answer = get(null);

        upstream.answer(200, "01234", "567890");

        UpstreamFailure failure = failure(answer);
        assertThat(failure.kind()).isEqualTo(UpstreamFailure.Kind.PROTOCOL);
        assertThat(failure.message()).contains("/x?limit=1", "more than 10 bytes");
        assertThat(failure.requestReached()).isTrue();
        assertThat(upstream.cancelledCount()).as("the rest is not waited for").isPositive();
    }

    @Test
    void answerThatTakesTooLong_isAFailure_andGivenUp() {
        CompletableFuture<Fetch.Answer> answer = get(null);

        upstream.pass(TIMEOUT.minusNanos(1));
        assertThat(answer).isNotDone();
        upstream.pass(Duration.ofNanos(1));

        assertThat(failure(answer).kind()).isEqualTo(UpstreamFailure.Kind.TIMEOUT);
        assertThat(failure(answer).message()).contains("did not answer /x?limit=1 within 5000 ms");
        assertThat(upstream.cancelledCount()).isPositive();
    }

    @Test
    void failureOnTheWay_isPassedOn() {
        CompletableFuture<Fetch.Answer> answer = get(null);
        UpstreamFailure reset = new UpstreamFailure(UpstreamFailure.Kind.RESET, "of a test", true);

        upstream.fail(reset);

        assertThat(failure(answer)).isSameAs(reset);
        assertThat(upstream.hasDeadline()).isFalse();
    }

    private CompletableFuture<Fetch.Answer> get(@Nullable String token) {
        return Fetch.get(upstream, token, "/x?limit=1", "text/plain", BYTES_MAX, TIMEOUT);
    }

    private static UpstreamFailure failure(CompletableFuture<Fetch.Answer> answer) {
        assertThat(answer).isCompletedExceptionally();
        return Objects.requireNonNull(UpstreamException.in(answer.exceptionNow()));
    }
}
