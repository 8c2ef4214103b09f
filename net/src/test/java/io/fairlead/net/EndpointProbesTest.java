package io.fairlead.net;

import static io.fairlead.net.Recorder.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.net.EndpointReport.Broken;
import io.fairlead.net.EndpointReport.Evidence;
import io.fairlead.net.EndpointReport.Ready;
import io.fairlead.net.EndpointReport.Unready;
import io.fairlead.net.UpstreamFailure.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the answers to probes do to an endpoint. */
final class EndpointProbesTest extends BalancedFixture {
    @Test
    void requests_areBalancedOverThoseThatAreReady() {
        Replica one = replica();
        Replica other = replica();
        Upstream upstream = balanced(OFTEN, one.url(), other.url());
        eventually(() -> areReady(true, true));

        assertThat(answers(upstream, 10)).contains(one.name(), other.name());
        assertThat(one.requests).hasValue(5);
        assertThat(verdicts()).containsOnly(new Ready(Evidence.READYZ));
    }

    @Test
    void endpointThatSaysItIsNotReady_getsNoRequests_untilItIs() {
        Replica one = replica();
        Replica other = replica();
        one.readyz = 500;
        Upstream upstream = balanced(OFTEN, one.url(), other.url());
        eventually(() -> areReady(false, true));
        assertThat(verdicts().getFirst()).isEqualTo(new Unready(500));
        assertThat(answers(upstream, 10)).containsOnly(other.name());

        one.readyz = 200;

        eventually(() -> areReady(true, true));
        assertThat(answers(upstream, 10)).contains(one.name());
    }

    /** There is a server, which does not tell this credential. */
    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 429})
    void endpointThatDoesNotTell_isReadyByItsAnswer(int status) {
        Replica one = replica();
        one.readyz = status;
        Upstream upstream = balanced(OFTEN, one.url(), replica().url());

        eventually(() -> areReady(true, true));

        assertThat(verdicts().getFirst()).isEqualTo(new Ready(Evidence.CONNECTION));
        assertThat(answers(upstream, 4)).contains(one.name());
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 308, 400, 503})
    void anyOtherAnswer_isNone_andARedirectIsNotFollowed(int status) {
        Replica one = replica();
        one.readyz = status;
        Upstream upstream = balanced(OFTEN, one.url(), replica().url());

        eventually(() -> areReady(false, true));

        assertThat(verdicts().getFirst()).isEqualTo(new Unready(status));
        assertThat(answers(upstream, 4)).doesNotContain(one.name());
    }

    @Test
    void probeThatIsNotAnswered_isGivenUp() {
        Replica one = replica();
        one.readyz = 0;
        EndpointLimits impatient = new EndpointLimits(
                OFTEN.probeInterval(), Duration.ofMillis(200), 1, 1, OFTEN.breakerFailures(), OFTEN.dnsRefresh());
        Upstream upstream = balanced(impatient, one.url(), replica().url());

        eventually(() -> areReady(false, true));

        assertThat(verdicts().getFirst())
                .isEqualTo(new Broken(
                        Failures.reached(Kind.TIMEOUT, one.name() + " did not answer /readyz within 200 ms")));
        assertThat(answers(upstream, 4)).doesNotContain(one.name());
        int before = one.probes.get();
        eventually(() -> one.probes.get() > before);
    }

    /** A single one gets all requests, whatever it says, as long as there is a connection: it alone may say no. */
    @Test
    void singleEndpoint_isNotProbed() {
        Replica one = replica();
        one.readyz = 500;
        Upstream upstream = balanced(OFTEN, one.url());

        assertThat(answers(upstream, 3)).containsOnly(one.name());

        eventually(() -> areReady(true));
        assertThat(verdicts()).containsExactly(new Ready(Evidence.CONNECTION));
        assertThat(one.probes).hasValue(0);
    }

    @Test
    void noReadyEndpoint_isToldAtOnce() {
        Replica one = replica();
        Replica other = replica();
        one.readyz = 500;
        other.readyz = 500;
        Upstream upstream = balanced(OFTEN, one.url(), other.url());
        eventually(() -> areReady(false, false));

        UpstreamFailure failure = get(upstream).failure();

        assertThat(failure.kind()).isEqualTo(Kind.NO_READY_ENDPOINT);
        assertThat(failure.requestReached()).isFalse();
        assertThat(failure.message()).isEqualTo("none of the 2 endpoints is ready");
        assertThat(List.of(one.requests.get(), other.requests.get())).containsOnly(0);
    }

    @Test
    void endpointsThatComeAndGo_takeAndLeaveRequests_andTheirProbes() {
        Replica one = replica();
        Replica other = replica();
        Replica third = replica();
        Upstream upstream = balanced(OFTEN, one.url(), other.url());
        eventually(() -> areReady(true, true));
        Recorder held = held(upstream, one, other);
        eventually(() -> one.requests.get() + other.requests.get() == 1);
        one.script = one.answering;
        other.script = other.answering;

        upstream.reconfigure(spec(other.url(), third.url()));

        assertThat(answers(upstream, 6)).containsOnly(other.name(), third.name());
        eventually(() -> areReady(true, true));
        assertThat(held.isOver()).as("a request of before").isFalse();
        int before = one.probes.get();
        int others = third.probes.get();
        eventually(() -> third.probes.get() > others + 3);
        assertThat(one.probes.get()).as("probes of the one that left").isLessThanOrEqualTo(before + 1);
    }

    /** One that is wrong because of what is corrected now may be right from now on. */
    @Test
    void newConfiguration_takesOverWhatIsKnown_butNotThatItGetsNoRequests() {
        Replica one = replica();
        one.readyz = 500;
        Replica other = replica();
        Upstream upstream = balanced(OFTEN, one.url(), other.url());
        eventually(() -> areReady(false, true));

        PooledUpstream pooled = (PooledUpstream) upstream;
        Generation before = new Generation(pooled, spec(one.url(), other.url()), null);
        Rig.chosen(before).health().probeFailed(new Unready(500));
        Generation newer = new Generation(pooled, spec(one.url(), other.url()), before);

        assertThat(newer.reports().getFirst().verdict()).isEqualTo(new Unready(500));
        assertThat(List.of(Rig.chosen(newer), Rig.chosen(newer)))
                .allSatisfy(endpoint -> assertThat(endpoint.health().isUsable()).isTrue())
                .doesNotHaveDuplicates();
    }

    private static Recorder held(Upstream upstream, Replica... replicas) {
        for (Replica replica : replicas) {
            replica.script = (ctx, piece) -> {};
        }
        return get(upstream);
    }
}
