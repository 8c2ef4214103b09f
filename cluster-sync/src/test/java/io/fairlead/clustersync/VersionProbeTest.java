package io.fairlead.clustersync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.http.FieldName;
import io.fairlead.net.UpstreamFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a look at {@code /version} finds out. */
class VersionProbeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final AskedUpstream upstream = new AskedUpstream();

    @Test
    void version_isAskedForWithTheCredential() {
        CompletableFuture<VersionProbe.Answer> found = VersionProbe.ask(upstream, "t0ken", TIMEOUT);

        upstream.answer(200, "{\"gitVersion\"", ":\"v1.36.3\"}");

        assertThat(found)
                .isCompletedWithValue(
                        new VersionProbe.Answer(Finding.yes("Reachable", "the API server answers"), "v1.36.3"));
        assertThat(upstream.heads()).singleElement().satisfies(head -> {
            assertThat(head.target()).isEqualTo("/version");
            assertThat(head.fields().get(FieldName.AUTHORIZATION)).isEqualTo("Bearer t0ken");
            assertThat(head.fields().get(FieldName.ACCEPT)).isEqualTo("application/json, application/jwk-set+json");
        });
        assertThat(upstream.hasDeadline()).as("its deadline is off").isFalse();
    }

    @Test
    void withoutAToken_noneIsSent() {
        VersionProbe.ask(upstream, null, TIMEOUT);

        assertThat(upstream.heads().getFirst().fields().contains(FieldName.AUTHORIZATION))
                .isFalse();
    }

    @Test
    void answerThatIsNone_saysWhatItIs() {
        assertThat(answered(200, "<html>")).isEqualTo("NotKubernetes");
        assertThat(answered(200, "{}")).isEqualTo("NotKubernetes");
        assertThat(answered(401, "{\"message\":\"no\"}")).isEqualTo("CredentialRefused");
        assertThat(answered(404, "")).isEqualTo("NotKubernetes");
    }

    @Test
    void messageOfARefusal_isPassedOn() {
        CompletableFuture<VersionProbe.Answer> found = VersionProbe.ask(upstream, null, TIMEOUT);

        upstream.answer(403, "{\"message\":\"for a reason\"}");

        assertThat(found.join().reachable().message()).contains("/version", "for a reason");
        assertThat(found.join().version()).isEmpty();
    }

    @Test
    void serverThatIsSlow_isTimedOut_andGivenUp() {
        CompletableFuture<VersionProbe.Answer> found = VersionProbe.ask(upstream, null, TIMEOUT);

        upstream.pass(TIMEOUT.minusNanos(1));
        assertThat(found).isNotDone();
        upstream.pass(Duration.ofNanos(1));

        assertThat(found.join().reachable().reason()).isEqualTo("Timeout");
        assertThat(found.join().reachable().message()).contains("5000 ms");
        assertThat(upstream.cancelledCount()).isEqualTo(1);
    }

    @Test
    void failureOnTheWay_isTold() {
        CompletableFuture<VersionProbe.Answer> found = VersionProbe.ask(upstream, null, TIMEOUT);

        upstream.fail(new UpstreamFailure(UpstreamFailure.Kind.TLS, "no handshake", false));

        assertThat(found).isCompletedWithValue(new VersionProbe.Answer(Finding.no("TLSFailed", "no handshake"), ""));
    }

    @Test
    void bodyBeyondItsBound_isNotKept() {
        String kept = "{\"gitVersion\":\"v1\"" + " ".repeat(64 * 1024 - 18) + "}";
        assertThat(kept).hasSize(64 * 1024 + 1);
        CompletableFuture<VersionProbe.Answer> found = VersionProbe.ask(upstream, null, TIMEOUT);

        upstream.answer(200, kept);
        assertThat(found.join().reachable())
                .as("a piece that is too much")
                .isEqualTo(Finding.no(
                        "NotKubernetes",
                        "the answer to /version is larger than 65536 bytes: is it a Kubernetes API server?"));

        found = VersionProbe.ask(upstream, null, TIMEOUT);
        upstream.answer(200, kept.replaceFirst(" ", ""));
        assertThat(found.join().version()).as("exactly so much").isEqualTo("v1");
    }

    @Test
    void refusalBeyondItsBound_isARefusal() {
        assertThat(answered(401, " ".repeat(64 * 1024 + 1))).isEqualTo("CredentialRefused");
    }

    @Test
    void answerWithoutAVersion_saysSo() {
        CompletableFuture<VersionProbe.Answer> found = VersionProbe.ask(upstream, null, TIMEOUT);

        upstream.answer(200, "{}");

        assertThat(found.join().reachable().message())
                .isEqualTo("the answer to /version has no gitVersion: is it a Kubernetes API server?");
    }

    private String answered(int status, String body) {
        CompletableFuture<VersionProbe.Answer> found = VersionProbe.ask(upstream, null, TIMEOUT);
        upstream.answer(status, body);
        return found.join().reachable().reason();
    }
}
