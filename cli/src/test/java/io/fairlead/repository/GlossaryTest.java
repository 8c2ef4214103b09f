package io.fairlead.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The glossary of docs/architecture.md stays short, and has only words that the code uses. */
class GlossaryTest {
    private static final int WORDS_MAX = 30;
    private static final Pattern SECTION = Pattern.compile("(?s)\n## Words\n(.*?)\n## ");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|-][^|]*) \\|");

    @Test
    void glossary_hasAtMostThirtyWords() {
        assertThat(words()).hasSizeBetween(1, WORDS_MAX).doesNotHaveDuplicates();
    }

    @Test
    void glossary_hasOnlyWordsOfTheCode() {
        String code = String.join(
                        "\n",
                        Sources.files(".java").stream()
                                .filter(file -> !Sources.isTest(file))
                                .map(Sources::text)
                                .toList())
                .toLowerCase(Locale.ROOT);

        assertThat(words())
                .allSatisfy(word -> assertThat(uses(code, word)).as(word).isTrue());
    }

    @Test
    void unusedWord_isCaught() {
        assertThat(uses("the serves index", "index")).isTrue();
        assertThat(uses("the serves index", "lodger")).isFalse();
    }

    private static boolean uses(String code, String word) {
        return Pattern.compile("\\b" + Pattern.quote(word)).matcher(code).find();
    }

    /** The words of the table's first column, in lower case; a row may explain several. */
    private static List<String> words() {
        String section = SECTION.matcher(Sources.text(Sources.root().resolve("docs/architecture.md")))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        return ROW.matcher(section)
                .results()
                .skip(1)
                .flatMap(row -> List.of(row.group(1).split(", ")).stream())
                .map(word -> word.strip().toLowerCase(Locale.ROOT))
                .toList();
    }
}
