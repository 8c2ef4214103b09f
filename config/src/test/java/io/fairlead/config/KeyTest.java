package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyTest {
    @Test
    void all_everyKey_hasAMeaningAndItsOwnFlagAndVariable() {
        assertThat(Key.ALL).allSatisfy(key -> {
            assertThat(key.meaning()).isNotBlank();
            assertThat(key.flag()).matches("--[a-z-]+");
            assertThat(key.variable()).matches("FAIRLEAD_[A-Z_]+");
        });
        assertThat(Key.ALL).extracting(Key::flag).doesNotHaveDuplicates();
        assertThat(Key.ALL).extracting(Key::variable).doesNotHaveDuplicates();
    }

    @Test
    void all_limits_areInTheDocumentAsTheProgramKnowsThem() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("..", "docs", "limits.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(Key.ALL.stream()
                        .filter(key -> key.path().startsWith("limits."))
                        .map(KeyTest::row)
                        .toList());
    }

    private static String row(Key key) {
        String byDefault = key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`";
        return "| `" + key.path() + "` | " + byDefault + " | " + key.meaning().replace("|", "\\|") + " |";
    }

    @Test
    void all_flags_areSpelledAsKubeApiserverSpellsThem() {
        assertThat(Key.ALL)
                .extracting(Key::flag)
                .contains(
                        "--data-dir",
                        "--bind-address",
                        "--secure-port",
                        "--metrics-address",
                        "--tls-cert-file",
                        "--tls-private-key-file",
                        "--client-ca-file",
                        "--token-auth-file",
                        "--storage",
                        "--clusters-dir",
                        "--advertise-host",
                        "--base-domain",
                        "--log-format");
    }
}
