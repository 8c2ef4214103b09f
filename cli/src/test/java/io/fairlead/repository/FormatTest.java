package io.fairlead.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every Java file is as palantir-java-format writes it. To have them rewritten:
 * {@code mvn -pl cli -am test -Dtest=FormatTest -Dformat.apply=true}.
 */
class FormatTest {
    private final Formatter formatter = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .build());

    @Test
    void everyFile_isFormatted() throws IOException {
        List<Path> unformatted = unformatted(Sources.files(".java"));
        if (Boolean.getBoolean("format.apply")) {
            rewrite(unformatted);
            unformatted = unformatted(unformatted);
        }
        assertThat(unformatted.stream().map(Sources::name))
                .as("files to format with -Dformat.apply=true")
                .isEmpty();
    }

    @Test
    void unformattedText_isCaught() {
        String text = "class   A { }\n";

        assertThat(formatted(text)).isNotEqualTo(text);
    }

    @Test
    void rewrittenFile_isFormatted(@TempDir Path folder) throws IOException {
        Path ugly = Files.writeString(folder.resolve("Ugly.java"), "import java.util.List;class   Ugly{int a;}");
        Path fine = Files.writeString(folder.resolve("Fine.java"), "class Fine {}\n");

        assertThat(unformatted(List.of(ugly, fine))).containsExactly(ugly);
        rewrite(List.of(ugly));

        assertThat(ugly).hasContent("class Ugly {\n    int a;\n}\n");
        assertThat(unformatted(List.of(ugly, fine))).isEmpty();
    }

    private List<Path> unformatted(List<Path> files) {
        return files.parallelStream()
                .filter(file -> !formatted(Sources.text(file)).equals(Sources.text(file)))
                .toList();
    }

    private void rewrite(List<Path> files) throws IOException {
        for (Path file : files) {
            Files.writeString(file, formatted(Sources.text(file)));
        }
    }

    private String formatted(String source) {
        try {
            return formatter.formatSourceAndFixImports(source);
        } catch (FormatterException e) {
            throw new AssertionError(
                    e.getMessage() + " in: " + source.lines().limit(3).toList(), e);
        }
    }
}
