package io.fairlead.gateway.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.net.UpstreamFailure;
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

    private static UpstreamFailure reset(boolean reached) {
        return new UpstreamFailure(UpstreamFailure.Kind.RESET, "https://10.0.0.1 refused the stream", reached);
    }
}
