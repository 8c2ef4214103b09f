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

/**
 * Every Java file is as palantir-java-format writes it. To have them rewritten:
 * {@code mvn -pl gateway -am test -Dtest=FormatTest -Dsurefire.failIfNoSpecifiedTests=false -Dformat.apply=true}.
 */
class FormatTest {
    private final Formatter formatter = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .build());

    @Test
    void everyFile_isFormatted() throws IOException {
        boolean apply = Boolean.getBoolean("format.apply");
        List<Path> unformatted = Sources.files(".java").parallelStream()
                .filter(file -> !formatted(Sources.text(file)).equals(Sources.text(file)))
                .toList();
        if (apply) {
            for (Path file : unformatted) {
                Files.writeString(file, formatted(Sources.text(file)));
            }
            return;
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

    private String formatted(String source) {
        try {
            return formatter.formatSourceAndFixImports(source);
        } catch (FormatterException e) {
            throw new AssertionError(
                    e.getMessage() + " in: " + source.lines().limit(3).toList(), e);
        }
    }
}
