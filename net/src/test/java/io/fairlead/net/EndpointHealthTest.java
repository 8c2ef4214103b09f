package io.fairlead.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.net.EndpointReport.Broken;
import io.fairlead.net.EndpointReport.Evidence;
import io.fairlead.net.EndpointReport.Ready;
import io.fairlead.net.EndpointReport.Unready;
import io.fairlead.net.EndpointReport.Verdict;
import io.fairlead.net.UpstreamFailure.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** When an endpoint gets requests, by a clock of the test's own. */
final class EndpointHealthTest {
    private static final int FAILED_PROBES = 2;
    private static final int PASSED_PROBES = 2;
    private static final int LOSSES = 3;
    private static final EndpointLimits LIMITS = new EndpointLimits(
            Duration.ofSeconds(5), Duration.ofSeconds(5), FAILED_PROBES, PASSED_PROBES, LOSSES, Duration.ofSeconds(30));
    private static final UpstreamFailure LOSS = Failures.reached(Kind.RESET, "of a test");
    private static final UpstreamFailure REFUSAL = Failures.unreached(Kind.CONNECT, "of a test");
    private static final Verdict SAYS_READY = new Ready(Evidence.READYZ);
    private static final Verdict SAYS_UNREADY = new Unready(500);

    private final List<Verdict> told = new ArrayList<>();
    private long nowNanos = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos(); // It passes over while a test runs.
    private EndpointHealth health = health(true);

    @Test
    void endpointOfWhichNothingIsKnown_getsRequests() {
        assertThat(health.isUsable()).isTrue();
        assertThat(health.isAvoided()).isFalse();
        assertThat(health.verdict()).isEqualTo(EndpointReport.UNPROVEN);
    }

    @Test
    void answeredRequest_provesIt_untilAProbeSaysMore() {
        health.answered();
        assertThat(told).containsExactly(new Ready(Evidence.CONNECTION));

        health.probePassed(Evidence.READYZ);
        health.answered();

        assertThat(told).containsExactly(new Ready(Evidence.CONNECTION), SAYS_READY);
    }

    @Test
    void lossesInARow_openTheBreaker_andPassedProbesCloseIt() {
        health.probePassed(Evidence.READYZ);
        lose(LOSSES - 1);
        assertThat(health.isUsable()).isTrue();

        lose(1);
        assertThat(health.isUsable()).isFalse();
        assertThat(health.verdict()).isEqualTo(new Broken(LOSS));

        health.probePassed(Evidence.READYZ);
        assertThat(health.isUsable()).as("half-open, after one of two").isFalse();
        health.probePassed(Evidence.READYZ);
        assertThat(health.isUsable()).isTrue();
        assertThat(told).containsExactly(SAYS_READY, new Broken(LOSS), SAYS_READY);
    }

    @Test
    void lostRequestsAlone_leaveItSuspected_untilAProbeOrAConnectionFails() {
        lose(LOSSES);
        assertThat(health.isUsable()).isFalse();
        assertThat(health.isSuspected()).isTrue();

        health.probeFailed(SAYS_UNREADY);
        assertThat(health.isSuspected()).isFalse();

        health = health(true);
        lose(LOSSES);
        health.notConnected(REFUSAL);
        assertThat(health.isSuspected()).isFalse();

        health = health(true);
        lose(LOSSES);
        health.probePassed(Evidence.READYZ);
        health.probePassed(Evidence.READYZ);
        assertThat(health.isSuspected()).isFalse();
        assertThat(health.isUsable()).isTrue();
    }

    @Test
    void answerBetweenLosses_countsThemFromTheBeginning() {
        lose(LOSSES - 1);
        health.answered();
        lose(LOSSES - 1);

        assertThat(health.isUsable()).isTrue();
    }

    /** It was sent before the endpoint was given up. */
    @Test
    void answerWhileTheBreakerIsOpen_closesItNot() {
        lose(LOSSES);

        health.answered();

        assertThat(health.isUsable()).isFalse();
    }

    @Test
    void probeThatFailsWhileItIsHalfOpen_beginsAnew() {
        lose(LOSSES);
        health.probePassed(Evidence.READYZ);
        health.probeFailed(SAYS_UNREADY);
        health.probePassed(Evidence.READYZ);
        assertThat(health.isUsable()).isFalse();

        health.probePassed(Evidence.READYZ);

        assertThat(health.isUsable()).isTrue();
    }

    @Test
    void failedProbesInARow_takeItOut() {
        health.probePassed(Evidence.READYZ);
        health.probeFailed(SAYS_UNREADY);
        health.probePassed(Evidence.READYZ);
        health.probeFailed(SAYS_UNREADY);
        assertThat(health.isUsable()).isTrue();

        health.probeFailed(SAYS_UNREADY);

        assertThat(health.isUsable()).isFalse();
        assertThat(health.verdict()).isEqualTo(SAYS_UNREADY);
    }

    @Test
    void sameVerdict_isToldOnce() {
        lose(LOSSES);
        lose(LOSSES);

        assertThat(told).containsExactly(new Broken(LOSS));
    }

    /** Who would find out that it is back? */
    @Test
    void endpointThatIsNotProbed_getsRequestsWhateverIsKnown_andIsBackWithAnAnswer() {
        health = health(false);
        lose(LOSSES);
        assertThat(health.isUsable()).isTrue();
        assertThat(health.verdict()).isEqualTo(new Broken(LOSS));

        health.answered();

        assertThat(health.verdict()).isEqualTo(new Ready(Evidence.CONNECTION));
    }

    @Test
    void refusedConnection_hasItAvoidedForAWhile_lessARandomPart() {
        health.notConnected(REFUSAL);
        assertThat(health.avoidedForNanos()).isBetween(millis(375), millis(500));
        health.notConnected(REFUSAL);
        assertThat(health.avoidedForNanos()).isBetween(millis(750), millis(1_000));
        assertThat(health.isAvoided()).isTrue();

        nowNanos += millis(1_000);

        assertThat(health.isAvoided()).isFalse();
    }

    @Test
    void penalties_spread() {
        List<Long> penalties = new ArrayList<>();
        for (int seed = 0; seed < 10; seed++) {
            EndpointHealth one = health(true, seed);
            one.notConnected(REFUSAL);
            penalties.add(one.avoidedForNanos());
        }

        assertThat(penalties).doesNotHaveDuplicates();
    }

    @Test
    void connectionThatStands_endsThePenalty_butNotTheLosses() {
        health.notConnected(REFUSAL);
        health.connected();
        assertThat(health.isAvoided()).isFalse();

        health.notConnected(REFUSAL);
        health.connected();
        health.notConnected(REFUSAL);

        assertThat(health.isUsable()).isFalse();
    }

    private void lose(int times) {
        for (int i = 0; i < times; i++) {
            health.lost(LOSS);
        }
    }

    private EndpointHealth health(boolean isProbed) {
        return health(isProbed, 1);
    }

    private EndpointHealth health(boolean isProbed, long seed) {
        EndpointHealth[] made = new EndpointHealth[1];
        made[0] = new EndpointHealth(
                LIMITS,
                isProbed,
                EndpointReport.UNPROVEN,
                () -> nowNanos,
                new SplittableRandom(seed),
                () -> told.add(made[0].verdict()));
        return made[0];
    }

    private static long millis(long count) {
        return Duration.ofMillis(count).toNanos();
    }
}
