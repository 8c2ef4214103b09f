package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Key;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The arguments that need no picocli mean what they mean to picocli, and no others are taken. */
class PlainServeTest {
    @Test
    void everyFlag_isReadAsPicocliReadsIt() {
        List<String> arguments = new ArrayList<>(List.of("serve"));
        for (int i = 0; i < Key.ALL.size(); i++) {
            Key key = Key.ALL.get(i);
            String value = "value=" + i + " -x @y";
            arguments.addAll(
                    i % 2 == 0 || key.isSwitch() ? List.of(key.flag() + "=" + value) : List.of(key.flag(), value));
        }
        ParseResult parsed = new CommandLine(new ServeCommand())
                .parseArgs(arguments.stream().skip(1).toArray(String[]::new));

        Map<String, String> flags = PlainServe.of(arguments).orElseThrow().flags();

        assertThat(flags).hasSameSizeAs(Key.ALL);
        assertThat(Key.ALL)
                .allSatisfy(
                        key -> assertThat(flags).containsEntry(key.path(), parsed.matchedOptionValue(key.flag(), "")));
    }

    @Test
    void noFlag_isPlain() {
        assertThat(PlainServe.of(List.of("serve"))).contains(new PlainServe(null, Map.of()));
        assertThat(PlainServe.of(List.of("serve", "--config", "a/b.yaml")))
                .contains(new PlainServe(Path.of("a/b.yaml"), Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "version",
                "--help",
                "serve --help",
                "serve -h",
                "serve extra",
                "serve @arguments",
                "serve --",
                "serve --unknown value",
                "serve --secure-port",
                "serve --secure-port=",
                "serve --secure-port --data-dir",
                "serve --secure-port -1",
                "serve --secure-port @file",
                "serve --secure-port 1 --secure-port 2",
                "serve --config a --config b",
                "serve --metrics-allow-remote",
                "serve --metrics-allow-remote true",
                "serve --SECURE-PORT 1",
                "serve --secure 1"
            })
    void whatIsNotPlain_isForPicocli(String line) {
        assertThat(PlainServe.of(List.of(line.split(" ", -1)))).isEmpty();
    }
}
