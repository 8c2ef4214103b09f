package io.fairlead.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each boundary in docs/security.md has a class that decides and a test that attacks it, and all of them are in the sources. */
class SecurityPageTest {
    private static final int BOUNDARIES_MIN = 16;
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** A class with its room, as {@code gateway.authn.Authentication}. */
    private static final Pattern CLASS = Pattern.compile("(?:[a-z]\\w*\\.)+[A-Z]\\w*");

    /** A class of tests, or one of its methods. */
    private static final Pattern TEST = Pattern.compile("([A-Z]\\w*(?:Test|IT))(?:\\.(\\w+))?");

    private static final Pattern SECTION = Pattern.compile("(?s)\n## Boundaries\n(.*?)\n## ");
    private static final String SOURCES = "src/main/java/io/fairlead/";

    private static final Set<String> CLASSES = Sources.files(".java").stream()
            .map(Sources::name)
            .filter(name -> name.contains(SOURCES))
            .map(name -> name.substring(name.indexOf(SOURCES) + SOURCES.length(), name.lastIndexOf('.'))
                    .replace('/', '.'))
            .collect(Collectors.toSet());

    private static final Map<String, String> TESTS = Sources.files(".java").stream()
            .filter(Sources::isTest)
            .collect(Collectors.toMap(SecurityPageTest::simpleName, Sources::text, String::concat));

    private final String page = Sources.text(Sources.root().resolve("docs/security.md"));

    @Test
    void everyClassAndTest_isInTheSources() {
        assertThat(missing(page)).isEmpty();
    }

    @Test
    void everyBoundary_hasWhatEnforcesItAndWhatAttacksIt() {
        assertThat(boundaries(page)).hasSizeGreaterThanOrEqualTo(BOUNDARIES_MIN).allSatisfy(row -> {
            List<String> cells = List.of(row.split("\\|", -1));
            assertThat(cells).hasSize(5);
            assertThat(marks(cells.get(2), CLASS)).as("what enforces: %s", row).isNotEmpty();
            assertThat(marks(cells.get(3), TEST)).as("what attacks: %s", row).isNotEmpty();
        });
    }

    @Test
    void namesThatDoNotExist_areCaught() {
        assertThat(missing("`gateway.enter.Gate` `gateway.enter.Gat` `gateway.authn.Gate` `spec.paused`"))
                .containsExactly("gateway.enter.Gat", "gateway.authn.Gate");
        assertThat(missing("`TidyTest` `TidyTest.nothing_sleeps` `TidyTest.nothing_sleep` `NowhereIT` `NowhereTest.x`"))
                .containsExactly("TidyTest.nothing_sleep", "NowhereIT", "NowhereTest.x");
    }

    /** What a page names in marks of code and the sources do not have, in its order. */
    private static List<String> missing(String text) {
        Predicate<String> isMissing = mark -> {
            Matcher test = TEST.matcher(mark);
            if (test.matches()) {
                String source = TESTS.get(test.group(1));
                return source == null || (test.group(2) != null && !source.contains("void " + test.group(2) + "("));
            }
            return CLASS.matcher(mark).matches() && !CLASSES.contains(mark);
        };
        return CODE.matcher(text)
                .results()
                .map(mark -> mark.group(1))
                .filter(isMissing)
                .toList();
    }

    /** The rows of the table, without its head. */
    private static List<String> boundaries(String text) {
        Matcher section = SECTION.matcher(text);
        assertThat(section.find()).as("the page has the section").isTrue();
        return section.group(1)
                .lines()
                .filter(line -> line.startsWith("| "))
                .skip(2)
                .toList();
    }

    private static List<String> marks(String cell, Pattern kind) {
        return CODE.matcher(cell)
                .results()
                .map(mark -> mark.group(1))
                .filter(mark -> kind.matcher(mark).matches())
                .toList();
    }

    private static String simpleName(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }
}
