package io.fairlead.fleet.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.testkit.LogLines;
import org.junit.jupiter.api.Test;

class WorkLogTest {
    @Test
    void workThatFailsAgainAndAgain_doesNotFillTheLog() {
        WorkLog log = new WorkLog();
        try (LogLines lines = new LogLines(WorkLog.class)) {
            for (int i = 0; i < 500; i++) {
                log.failed("work", new StackOverflowError("of the test"));
            }
            log.failed("other work", new StackOverflowError("of the test"));

            assertThat(lines.texts()).hasSize(11).last().asString().contains("work=other work");
        }
    }
}
