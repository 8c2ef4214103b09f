package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(strings = {"limits", "upstream", "attached", "hosted", "store", "index", "types", "timeTravel"})
    void all_limitsOfASection_areInTheDocumentAsTheProgramKnowsThem(String section) throws IOException {
        assertThat(rows().filter(row -> row.startsWith("| `" + section + ".")))
                .isNotEmpty()
                .containsExactlyElementsOf(Key.ALL.stream()
                        .filter(key -> key.path().startsWith(section + ".") && isAmount(key))
                        .map(KeyTest::row)
                        .toList());
    }

    @Test
    void document_listsNothingElse() throws IOException {
        assertThat(rows()).isSubsetOf(Key.ALL.stream().map(KeyTest::row).toList());
    }

    private static Stream<String> rows() throws IOException {
        return Files.readAllLines(Path.of("..", "docs", "limits.md")).stream().filter(line -> line.startsWith("| `"));
    }

    /** Which addresses are allowed is no limit. */
    private static boolean isAmount(Key key) {
        return key.type() != List.class && !key.isSwitch();
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
                        "--authentication-config",
                        "--storage",
                        "--clusters-dir",
                        "--advertise-host",
                        "--base-domain",
                        "--log-format");
    }
}
