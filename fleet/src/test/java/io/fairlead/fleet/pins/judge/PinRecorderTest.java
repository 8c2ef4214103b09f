package io.fairlead.fleet.pins.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.pins.judge.TypePin.Action;
import io.fairlead.fleet.pins.judge.TypePin.Requirement;
import io.fairlead.index.DefinedType;
import io.fairlead.index.FleetIndex;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.testkit.LogLines;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is audited is logged when it becomes so, however many ask. */
class PinRecorderTest {
    private static final TypePin PIN = pin("quiet");

    private final DefinedType boats = Boats.upTo(8, FleetIndex.create());
    private final PinRecorder log = new PinRecorder();

    @Test
    void finding_isLoggedOnceUntilItIsAnother() {
        try (LogLines lines = new LogLines(PinRecorder.class)) {
            for (String why : new String[] {"one", "one", "another"}) {
                log.note(PIN, question("boats", "v1", defined()), new Verdict.Broken(why));
            }
            assertThat(lines.texts()).hasSize(2);
            assertThat(lines.texts().getLast()).contains("pin=quiet", "cluster=prod", "problem=another");

            log.note(PIN, question("boats", "v1", defined()), new Verdict.Kept());
            log.note(PIN, question("boats", "v1", defined()), new Verdict.Broken("another"));
            assertThat(lines.texts()).hasSize(3);
        }
    }

    @Test
    void age_isNoOtherFinding() {
        try (LogLines lines = new LogLines(PinRecorder.class)) {
            for (int age = 121; age < 130; age++) {
                log.note(PIN, question("boats", "v1", defined()), new Verdict.Stale(age + " s ago"));
            }
            assertThat(lines.texts()).hasSize(1);
        }
    }

    @Test
    void resourcesThatNobodyDefines_areOne() {
        try (LogLines lines = new LogLines(PinRecorder.class)) {
            for (int i = 0; i < 100; i++) {
                String why = "no CRD defines invented" + i;
                log.note(PIN, question("invented" + i, "v1", new KnownType.Absent(why)), new Verdict.Broken(why));
            }
            assertThat(lines.texts()).hasSize(1);

            log.note(PIN, question("boats", "v1", defined()), new Verdict.Broken("why"));
            assertThat(lines.texts()).hasSize(2);
        }
    }

    @Test
    void versionsThatATypeHasNot_areOne() {
        try (LogLines lines = new LogLines(PinRecorder.class)) {
            for (int i = 2; i < 100; i++) {
                log.note(PIN, question("boats", "v1", defined()), new Verdict.Kept());
                log.note(PIN, question("boats", "v" + i, defined()), new Verdict.Broken("why"));
            }
            assertThat(lines.texts()).hasSize(1);
        }
    }

    @Test
    void findingsThatAreManyAtOnce_leaveRoomForOthers() {
        try (LogLines lines = new LogLines(PinRecorder.class)) {
            for (int i = 0; i < 3_000; i++) {
                log.note(pin("pin" + i), question("boats", "v1", defined()), new Verdict.Broken("why"));
            }
            assertThat(lines.texts())
                    .hasSizeBetween(1_000, 1_020)
                    .last()
                    .asString()
                    .contains("pin=pin10");
        }
    }

    @Test
    void findingThatComesAndGoes_isLoggedNowAndThen() {
        try (LogLines lines = new LogLines(PinRecorder.class)) {
            for (int i = 0; i < 500; i++) {
                log.note(PIN, question("boats", "v1", defined()), new Verdict.Broken("why"));
                log.note(PIN, question("boats", "v1", defined()), new Verdict.Kept());
            }
            assertThat(lines.texts()).hasSize(10);
        }
    }

    private KnownType defined() {
        return new KnownType.Defined(boats, "");
    }

    private static TypePin pin(String name) {
        return new TypePin(
                name,
                new ClusterSet.All(Map::of),
                "example.com",
                TypePin.EVERY,
                Set.of(),
                TypePin.WRITES,
                new Requirement.Anything(),
                Set.of(),
                Action.AUDIT);
    }

    private static Question question(String resource, String version, KnownType known) {
        return new Question(new ClusterName("prod"), new GroupResource("example.com", resource), version, 0, known);
    }
}
