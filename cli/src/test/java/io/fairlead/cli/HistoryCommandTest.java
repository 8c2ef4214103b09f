package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.cli.FakeGateway.Printed;
import io.fairlead.model.HumanDuration;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a cluster was Ready, as {@code history} prints it. */
class HistoryCommandTest {
    private static final String TRANSITIONS = "/fairlead/v1/clusters/prod/transitions";

    @TempDir
    private Path folder;

    private FakeGateway gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = new FakeGateway(folder);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void transitions_areATableForPeople() {
        Instant last = Instant.now().minus(3, ChronoUnit.HOURS).minus(5, ChronoUnit.SECONDS);
        gateway.answer(TRANSITIONS, report(last));

        Printed printed = gateway.run("history", "-c", "prod");

        assertThat(printed.err()).isEmpty();
        assertThat(printed.code()).isZero();
        assertThat(printed.out().lines().map(line -> line.replaceAll(" {3,}", "|")))
                .containsExactly(
                        "prod: epoch 3, history not judged",
                        "OBSERVED|READY|FOR|REASON",
                        "2026-01-02T03:12:00Z|True|4m|Ready (first sight)",
                        "2026-01-02T03:16:00Z|False|<=12s|Timeout",
                        "2026-01-02T03:16:12Z|Unknown|" + sinceThen(last) + "|NotTriedYet (first sight)",
                        last + "|True|3h|Ready");
    }

    @Test
    void programs_getTheDocument() {
        gateway.answer(TRANSITIONS, report(Instant.EPOCH));

        assertThat(gateway.run("history", "-c", "prod", "-o", "json").out())
                .contains("\"epoch\" : 3", "\"firstSight\" : true")
                .doesNotContain("\"for\"");
        assertThat(gateway.run("history", "-c", "prod", "-o", "yaml").out()).contains("epoch: 3\n");
        assertThat(gateway.run("history", "-c", "prod", "-o", "name").out())
                .startsWith("2026-01-02T03:12:00Z\n2026-01-02T03:16:00Z\n");
    }

    @ParameterizedTest
    @CsvSource({"True, consistent", "False, not consistent (Rewound)", "Unknown, unknown (Rewound)"})
    void historyThatIsJudged_isSaid(String status, String words) {
        gateway.answer(
                TRANSITIONS,
                "{\"cluster\": \"prod\", \"epoch\": 2, \"transitions\": []," + " \"historyConsistent\": {\"status\": \""
                        + status + "\", \"reason\": \"Rewound\"}}");

        assertThat(gateway.run("history", "-c", "prod").out())
                .isEqualTo("prod: epoch 2, history " + words + ", not observed yet\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "since": "S", "until": "U", "restarted": false, "firstSight": false | , since S, until U
        "since": "S", "firstSight": true | , since S or longer
        "since": "S", "until": "U", "restarted": true, "firstSight": false | , since S; it is not known until when: Fairlead was started again and saw the cluster at U
        "x": 1 | ' (nothing so old is kept)'
        """)
    void stateAtATime_isOneLine(String more, String words) {
        gateway.answer(
                TRANSITIONS,
                "{\"cluster\": \"prod\", \"at\": {\"time\": \"T\", \"ready\": \"False\", \"reason\": \"Timeout\", "
                        + more + "}}");

        assertThat(gateway.run("history", "-c", "prod", "--at", "2026-01-02T03:14:00+01:00"))
                .isEqualTo(new Printed(0, "prod: Ready was False at T: Timeout" + words + "\n", ""));
        assertThat(gateway.query(TRANSITIONS)).isEqualTo("at=2026-01-02T03%3A14%3A00%2B01%3A00");
        assertThat(gateway.run("history", "-c", "prod", "--at", "2026-01-02T03:14:00Z", "-o", "name")
                        .out())
                .isEqualTo("False\n");
    }

    @Test
    void clusterThatIsNotRegistered_isOneLine() {
        gateway.answer(TRANSITIONS, "{\"message\": \"cluster \\\"prod\\\" is not registered\"}");
        gateway.code(TRANSITIONS, 404);

        assertThat(gateway.run("history", "-c", "prod"))
                .isEqualTo(new Printed(1, "", "error: cluster \"prod\" is not registered\n"));
    }

    @Test
    void conditions_areATimeLine_withMarks() {
        String path = "/fairlead/v1/clusters/prod/conditions";
        gateway.answer(path, """
            {"cluster": "prod", "transitions": [
              {"observed": "2026-01-02T03:00:00Z", "condition": "Ready", "verdict": "FirstSight", "status": "True", "stated": "2026-01-02T01:00:00Z", "resourceVersion": "5", "manager": "kubelet"},
              {"observed": "2026-01-02T03:10:00Z", "condition": "Ready", "verdict": "Stated", "status": "False", "stated": "2026-01-02T03:09:59Z", "resourceVersion": "6", "manager": "nodelifecycle"},
              {"observed": "2026-01-02T03:20:00Z", "condition": "Ready", "verdict": "Travelled", "status": "True", "stated": "2026-01-02T01:00:00Z", "resourceVersion": "7", "manager": "kubelet"},
              {"observed": "2026-01-02T03:30:00Z", "condition": "Ready", "verdict": "Unstated", "status": "False", "stated": "", "resourceVersion": "8", "manager": ""},
              {"observed": "2026-01-02T03:40:00Z", "condition": "Ready", "verdict": "Removed", "status": "", "stated": "", "resourceVersion": "9", "manager": ""}
            ]}
            """);

        Printed printed = gateway.run("history", "conditions", "-c", "prod", "pods/web-0", "-n", "shop");

        assertThat(printed.code()).isZero();
        assertThat(gateway.query(path)).isEqualTo("resource=pods&name=web-0&namespace=shop");
        assertThat(printed.out().lines().map(line -> line.replaceAll(" {2,}", "|")))
                .containsExactly(
                        "OBSERVED|CONDITION|STATUS|STATED|VERSION|MANAGER|MARK",
                        "2026-01-02T03:00:00Z|Ready|True|2026-01-02T01:00:00Z|5|kubelet|first sight",
                        "2026-01-02T03:10:00Z|Ready|False|2026-01-02T03:09:59Z|6|nodelifecycle|",
                        "2026-01-02T03:20:00Z|Ready|True|2026-01-02T01:00:00Z|7|kubelet|TRAVELLED",
                        "2026-01-02T03:30:00Z|Ready|False|-|8|-|NEVER STATED",
                        "2026-01-02T03:40:00Z|Ready|-|-|9|-|removed");
        assertThat(gateway.run("history", "conditions", "-c", "prod", "deployments.apps/web", "-o", "json")
                        .out())
                .contains("\"verdict\" : \"Travelled\"");
        assertThat(gateway.query(path)).isEqualTo("resource=deployments.apps&name=web");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        history                            | no cluster and no command is given (expected -c ID, or one of the commands check and conditions)
        history -c prod --at noon          | option --at "noon" (expected a time in RFC 3339, as 2026-01-02T03:14:00Z)
        history -c Prod_1                  | "Prod_1"
        history -o json check -            | option --output stands before the command check (expected none there)
        history -c prod conditions -c prod pods/web-0 | option --cluster stands before the command conditions (expected none there)
        history conditions pods/web-0      | -c
        history conditions -c prod web-0   | "web-0" (expected RESOURCE/NAME, as pods/web-0 or deployments.apps/web)
        history conditions -c prod core/v1/pods/web-0 | "core/v1/pods/web-0" (expected RESOURCE/NAME
        history -c prod check -            | option --cluster stands before the command check (expected none there)
        """)
    void wrongUsage_namesTheValue(String command, String problem) {
        Printed printed = gateway.runAsItIs(command.split(" "));

        assertThat(printed.code()).isEqualTo(64);
        assertThat(printed.err()).startsWith("error: ").contains(problem);
    }

    private static String sinceThen(Instant last) {
        return HumanDuration.of(Duration.between(Instant.parse("2026-01-02T03:16:12Z"), last));
    }

    private static String report(Instant last) {
        return """
            {"cluster": "prod", "epoch": 3, "transitions": [
              {"observed": "2026-01-02T03:12:00Z", "ready": "True", "reason": "Ready", "firstSight": true},
              {"observed": "2026-01-02T03:16:00Z", "ready": "False", "reason": "Timeout", "firstSight": false},
              {"observed": "2026-01-02T03:16:12Z", "ready": "Unknown", "reason": "NotTriedYet", "firstSight": true},
              {"observed": "%s", "ready": "True", "reason": "Ready", "firstSight": false}
            ]}
            """.formatted(last);
    }
}
