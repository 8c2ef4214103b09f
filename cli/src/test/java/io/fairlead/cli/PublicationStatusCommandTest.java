package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.cli.FakeGateway.Printed;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of a publication, as {@code publication status} prints them. */
class PublicationStatusCommandTest {
    private static final String PATH = "/clusters/root/apis/fairlead.io/v1alpha1/apipublications/widgets";

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

    private static String publication(String available) {
        return """
            {"metadata":{"name":"widgets"},"status":{
              "conditions":[{"type":"Available","status":"%s","reason":"Forbidden","message":"prod: no right"}],
              "clusters":[{"cluster":"prod","steps":[
                {"step":"Claimed","state":"Done","since":"2026-11-26T08:00:00Z"},
                {"step":"Service","state":"Failed","since":"2026-11-26T08:00:01Z","reason":"Forbidden",
                 "message":"no right"}]}]}}
            """.formatted(available);
    }

    @Test
    void steps_areATable_andTheExitCodeSaysThatSomethingIsMissing() {
        gateway.answer(PATH, publication("False"));

        Printed printed = gateway.run("publication", "status", "widgets");

        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err()).isEqualTo("not available: Forbidden: prod: no right\n");
        assertThat(printed.out().lines())
                .containsExactly(
                        "CLUSTER   STEP      STATE    SINCE                  REASON      MESSAGE",
                        "prod      Claimed   Done     2026-11-26T08:00:00Z   -           -",
                        "prod      Service   Failed   2026-11-26T08:00:01Z   Forbidden   no right");
    }

    @Test
    void oneThatIsAvailable_isZero() {
        gateway.answer(PATH, publication("True"));

        assertThat(gateway.run("publication", "status", "widgets").code()).isZero();
    }

    @Test
    void statusOfTheSpecBefore_isNotTakenForThatOfNow() {
        gateway.answer(
                PATH,
                publication("True")
                        .replace("\"name\":\"widgets\"", "\"name\":\"widgets\",\"generation\":2")
                        .replace("\"type\":\"Available\"", "\"type\":\"Available\",\"observedGeneration\":1"));

        Printed printed = gateway.run("publication", "status", "widgets");

        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err()).isEqualTo("not known: the status is that of the spec before its last change\n");
    }

    @Test
    void oneThatIsMissing_isAnError() {
        assertThat(gateway.run("publication", "status", "widgets").code()).isEqualTo(1);
    }
}
