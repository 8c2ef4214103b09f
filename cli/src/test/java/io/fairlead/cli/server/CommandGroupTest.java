package io.fairlead.cli.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A group by itself says which commands it has. */
class CommandGroupTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        verify                | verify
        reference check       | reference or check
        attach create delete  | attach, create or delete
        """)
    void groupByItself_namesItsCommands(String commands, String expected) {
        CommandLine group = new CommandLine(new Group());
        List.of(commands.split(" ")).forEach(name -> group.addSubcommand(name, CommandSpec.create()));

        assertThatThrownBy(() -> ((Group) group.getCommand()).run())
                .isInstanceOf(ParameterException.class)
                .hasMessage("no command is given (expected " + expected + ")");
    }

    @Command(name = "group")
    private static final class Group extends CommandGroup {}
}
