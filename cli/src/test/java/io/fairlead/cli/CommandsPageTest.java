package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/commands.md has a section for each command, which names the commands of a group. */
class CommandsPageTest {
    @ParameterizedTest
    @MethodSource("commands")
    void everyCommand_hasItsSection(String command) throws IOException {
        assertThat(sections()).containsKey(command);
        for (String inGroup : CommandTree.names(command)) {
            assertThat(sections().getOrDefault(command, "")).contains("`fairlead " + command + " " + inGroup);
        }
    }

    @Test
    void page_hasNoSectionOfAnUnknownCommand() throws IOException {
        assertThat(sections().keySet())
                .filteredOn(heading -> !heading.contains(" ") && !heading.equals("Logs"))
                .isSubsetOf(commands().toList());
    }

    static Stream<String> commands() {
        return CommandTree.all().keySet().stream();
    }

    /** By their headings. */
    private static Map<String, String> sections() throws IOException {
        List<String> parts = Arrays.asList(
                Files.readString(Path.of("..", "docs", "commands.md")).split("(?m)^## "));
        return parts.stream()
                .skip(1)
                .collect(Collectors.toMap(part -> part.lines().findFirst().orElse(""), part -> part));
    }
}
