package io.fairlead.gateway.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.net.UpstreamFailure;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class UpstreamStatusTest {
    private static final ClusterName PROD = new ClusterName("prod");

    @Test
    void requestThatTheServerRefused_mayBeSentAgain_andOneThatWasBrokenOffMayHaveTakenEffect() {
        Status refused = UpstreamStatus.of(PROD, reset(false));
        assertThat(refused.code()).isEqualTo(503);
        assertThat(refused.retryAfterSeconds()).isEqualTo(1);

        Status broken = UpstreamStatus.of(PROD, reset(true));
        assertThat(broken.code()).isEqualTo(502);
        assertThat(broken.retryAfterSeconds()).isZero();
    }

    @Test
    void noReadyEndpoint_isTriedAgainInASecond() {
        UpstreamFailure failure =
                new UpstreamFailure(UpstreamFailure.Kind.NO_READY_ENDPOINT, "none of the 2 endpoints is ready", false);

        Status answer = UpstreamStatus.of(PROD, failure);

        assertThat(answer.code()).isEqualTo(503);
        assertThat(answer.retryAfterSeconds()).isEqualTo(1);
        assertThat(Objects.requireNonNull(answer.details()).causes())
                .extracting(Status.Cause::reason)
                .containsExactly("NoReadyEndpoint");
        assertThat(answer.message()).isEqualTo("cluster \"prod\": none of its API servers is ready");
    }

    private static UpstreamFailure reset(boolean reached) {
        return new UpstreamFailure(UpstreamFailure.Kind.RESET, "https://10.0.0.1 refused the stream", reached);
    }
}
