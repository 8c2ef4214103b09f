package io.fairlead.fleet.availability;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.root.Condition;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

final class AvailabilityGateTest {
    private static final Instant START = Instant.parse("2026-03-01T09:00:00Z");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Finding READY = Finding.yes("Ready", "the cluster can be used");
    private static final Finding DOWN = Finding.no("ConnectionFailed", "nothing answers");
    private static final Finding ALL = Finding.yes("AllAvailable", "3 of 3 available");
    private static final Finding MISSING = Finding.no("APIServiceNotFound", "1 of 3: v1.example.com");
    private static final Finding UNKNOWN = Finding.unknown("NotObserved", "not looked at yet");

    private AvailabilityGate gate = AvailabilityGate.of(Json.object());
    private Instant now = START;

    private String look(Finding ready, Finding services) {
        gate = gate.next(ready, services, now);
        Finding available = gate.available(ready, services, TIMEOUT, now);
        return available.status() + " " + available.reason();
    }

    private void after(int seconds) {
        now = START.plusSeconds(seconds);
    }

    @Test
    void waitsForWhatIsRequired_saysWhenThatTakesTooLong_andPassesStill() {
        assertThat(look(READY, MISSING)).isEqualTo("FALSE APIServicesNotAvailable");
        after(59);
        assertThat(look(READY, MISSING)).isEqualTo("FALSE APIServicesNotAvailable");
        after(60);
        assertThat(look(READY, MISSING)).isEqualTo("FALSE GateTimedOut");
        assertThat(gate.available(READY, MISSING, TIMEOUT, now).message())
                .isEqualTo("not within 1m: 1 of 3: v1.example.com");
        after(100);
        assertThat(look(READY, ALL)).isEqualTo("TRUE Available");
        assertThat(gate.passed()).contains(now);
    }

    @Test
    void stays_openOnceItHasPassed_butForTheClusterItself() {
        assertThat(look(READY, ALL)).isEqualTo("TRUE Available");
        after(10);
        assertThat(look(READY, MISSING)).isEqualTo("TRUE Available");
        assertThat(look(DOWN, UNKNOWN)).isEqualTo("FALSE ConnectionFailed");
        after(200);
        assertThat(look(READY, MISSING)).isEqualTo("TRUE Available");
        assertThat(gate.passed()).contains(START);
    }

    @Test
    void beginsToWaitOnlyWhenTheClusterCanBeUsed() {
        assertThat(look(DOWN, MISSING)).isEqualTo("FALSE ConnectionFailed");
        assertThat(gate.begun()).isEmpty();
        assertThat(look(DOWN, ALL)).isEqualTo("FALSE ConnectionFailed");
        assertThat(gate.passed()).isEmpty();
        after(100);
        assertThat(look(READY, MISSING)).isEqualTo("FALSE APIServicesNotAvailable");
        after(130);
        assertThat(look(DOWN, UNKNOWN)).isEqualTo("FALSE ConnectionFailed");
        after(160);
        assertThat(look(READY, MISSING)).isEqualTo("FALSE GateTimedOut");
    }

    @Test
    void isTheSameAfterItWasStored() {
        ObjectNode status = Json.object();
        gate.write(status);
        assertThat(status.isEmpty()).isTrue();
        look(READY, MISSING);
        gate.write(status);
        assertThat(AvailabilityGate.of(status)).isEqualTo(gate);
        look(READY, ALL);
        gate.write(status);
        assertThat(AvailabilityGate.of(status)).isEqualTo(gate);
        assertThat(AvailabilityGate.of((ObjectNode) Json.read("{\"gate\": {\"begun\": \"soon\", \"passed\": 3}}")))
                .isEqualTo(new AvailabilityGate(Optional.empty(), Optional.empty()));
    }

    @Test
    void whatIsNotKnown_isNeitherAvailableNorNot_untilItTakesTooLong() {
        assertThat(look(READY, UNKNOWN)).isEqualTo("UNKNOWN NotObserved");
        assertThat(gate.begun()).contains(START);
        after(60);
        assertThat(look(READY, UNKNOWN)).isEqualTo("FALSE GateTimedOut");
        assertThat(gate.passed()).isEmpty();
    }

    @Test
    void statusSaysWhetherItIsShut() {
        for (Finding services : List.of(MISSING, UNKNOWN, ALL)) {
            for (int seconds : List.of(0, 60)) {
                gate = AvailabilityGate.of(Json.object());
                after(0);
                look(READY, MISSING);
                after(seconds);
                gate = gate.next(READY, services, now);
                Finding available = gate.available(READY, services, TIMEOUT, now);
                ObjectNode status = Json.object();
                status.set(
                        "conditions",
                        Condition.merge(status, List.of(new Condition(Condition.AVAILABLE, available)), 1, now));
                assertThat(AvailabilityGate.isShut(status))
                        .as("%s %s", services, seconds)
                        .isEqualTo(available.status() == Finding.Status.FALSE);
            }
        }
        assertThat(AvailabilityGate.isShut(Json.object())).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"90s, PT1M30S", "5m, PT5M", "1s, PT1S", "24h, PT24H", "0s,", "999ms,", "24h1s,", "-5s,", "soon,", "60,"
    })
    void timeout_isADurationFromASecondToADay(String text, String expected) {
        assertThat(AvailabilityGate.timeout(Json.read("{\"spec\": {\"gateTimeout\": \"" + text + "\"}}"))
                        .map(Duration::toString)
                        .orElse(null))
                .isEqualTo(expected == null ? null : Duration.parse(expected).toString());
    }
}
