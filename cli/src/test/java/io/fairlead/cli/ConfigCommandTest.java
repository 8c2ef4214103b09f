package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Key;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code config} prints. */
class ConfigCommandTest {
    private final StringWriter out = new StringWriter();

    @Test
    void reference_fitsATerminal_andExplainsEveryKey() {
        assertThat(execute("config", "reference")).isZero();

        assertThat(out.toString()).startsWith("""
            dataDir
                the folder of everything Fairlead writes; mode 0700
                default: ./fairlead-data; expected: a path
                --data-dir, FAIRLEAD_DATA_DIR

            bindAddress
            """);
        assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
        for (Key key : Key.ALL) {
            assertThat(out.toString()).contains("\n    " + key.flag() + ",", key.variable());
            assertThat(out.toString().lines()).contains(key.path());
        }
    }

    private int execute(String... arguments) {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        return FairleadCommand.execute(List.of(arguments), new PrintWriter(out), nowhere);
    }
}
