package io.fairlead.clustersync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.FieldName;
import io.fairlead.net.UpstreamFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a cluster says of its head, and that no answer is taken for that to a later question. */
class HeadQuestionTest {
    private final ManualUpstream upstream = new ManualUpstream();
    private final HeadQuestion question = new HeadQuestion(upstream, () -> "t0ken", Duration.ofSeconds(5));

    @Test
    void head_isAskedByAConsistentListOfOneObject() {
        CompletableFuture<String> asked = question.ask();

        assertThat(last().head().target()).isEqualTo("/apis/apiregistration.k8s.io/v1/apiservices?limit=1");
        assertThat(last().head().fields().get(FieldName.AUTHORIZATION)).isEqualTo("Bearer t0ken");
        last().answer(200, list("700"));
        assertThat(asked).isCompletedWithValue("700");
    }

    @Test
    void questionDuringAnother_waitsForAListOfItsOwn_togetherWithAllOthers() {
        CompletableFuture<String> first = question.ask();
        CompletableFuture<String> second = question.ask();
        CompletableFuture<String> third = question.ask();
        assertThat(upstream.calls()).hasSize(1);

        last().answer(200, list("700"));
        assertThat(first).isCompletedWithValue("700");
        assertThat(second).isNotDone();
        assertThat(upstream.calls()).hasSize(2);
        last().answer(200, list("710"));

        assertThat(second).isCompletedWithValue("710");
        assertThat(third).isCompletedWithValue("710");
        assertThat(upstream.calls()).hasSize(2);
        question.ask();
        assertThat(upstream.calls()).hasSize(3);
    }

    @Test
    void clusterThatDoesNotSay_isAskedAgain() {
        CompletableFuture<String> refused = question.ask();
        last().answer(403, list("700"));
        assertThat(refused).isCompletedWithValue("");
        CompletableFuture<String> failed = question.ask();
        last().fail(new UpstreamFailure(UpstreamFailure.Kind.RESET, "of a test", true));
        assertThat(failed).isCompletedWithValue("");
        CompletableFuture<String> odd = question.ask();
        last().answer(200, "[]");
        assertThat(odd).isCompletedWithValue("");
        assertThat(upstream.calls()).hasSize(3);
    }

    @Test
    void questionThatCannotBeSent_hasNoAnswer_andHoldsUpNoOther() {
        HeadQuestion closed = new HeadQuestion(
                upstream,
                () -> {
                    throw new IllegalStateException("of a test");
                },
                Duration.ofSeconds(5));

        assertThat(closed.ask()).isCompletedWithValue("");
        assertThat(closed.ask()).isCompletedWithValue("");
    }

    private ManualUpstream.Call last() {
        return upstream.calls().getLast();
    }

    private static String list(String resourceVersion) {
        return "{\"metadata\":{\"resourceVersion\":\"" + resourceVersion + "\"}}";
    }
}
