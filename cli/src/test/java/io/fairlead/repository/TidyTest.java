package io.fairlead.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a reviewer would otherwise have to look for in every change. */
class TidyTest {
    private static final int LINES_MAX = 400;
    private static final Pattern LONG_FILE = Pattern.compile("(?m)^\\| `([\\w/.-]+\\.java)` \\| [^|]+ \\|$");
    private static final Pattern STANDARD_STREAM = Pattern.compile("\\bSystem\\.(out|err)\\.");
    private static final Pattern SLEEP = Pattern.compile("\\bThread\\.sleep\\(");
    private static final Pattern UNFINISHED = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");

    @Test
    void files_areShortEnoughToRead_butForThoseOfTheDecisions() {
        List<String> tooLong = Sources.files(".java").stream()
                .filter(file -> isTooLong(Sources.text(file)))
                .map(Sources::name)
                .toList();

        assertThat(tooLong)
                .as("files of more than " + LINES_MAX
                        + " lines, and those that docs/decisions.md names with the reason")
                .containsExactlyInAnyOrderElementsOf(
                        longFiles(Sources.text(Sources.root().resolve("docs/decisions.md"))));
    }

    @Test
    void production_writesToItsLogAndNotToTheStandardStreams() {
        assertThat(matches(STANDARD_STREAM, false))
                .filteredOn(name -> !name.contains("/cli/"))
                .isEmpty();
    }

    @Test
    void nothing_sleeps() {
        assertThat(matches(SLEEP, true))
                .as("tests wait by gates, manual clocks and bounded polls")
                .isEmpty();
        assertThat(matches(SLEEP, false)).isEmpty();
    }

    @Test
    void nothing_isLeftToBeDone() {
        assertThat(matches(UNFINISHED, false)).isEmpty();
        assertThat(matches(UNFINISHED, true)).isEmpty();
    }

    @Test
    void everyPackageOfProduction_saysWhatItIsFor() {
        List<String> silent = Sources.files(".java").stream()
                .filter(file -> !Sources.isTest(file))
                .filter(file -> !file.toString().contains("/src/build/")) // programs of one file, in no package
                .map(Path::getParent)
                .distinct()
                .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
                .map(Sources::name)
                .toList();

        assertThat(silent).isEmpty();
    }

    @Test
    void relativeLinksInDocuments_leadSomewhere() {
        List<String> dead = new ArrayList<>();
        for (Path document : Sources.files(".md")) {
            dead.addAll(deadLinks(document, Sources.text(document)));
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void rules_findWhatTheyForbid() {
        assertThat(isTooLong("line\n".repeat(LINES_MAX + 1))).isTrue();
        assertThat(isTooLong("line\n".repeat(LINES_MAX))).isFalse();
        assertThat(longFiles("| `a/B.java` | the reason |\n| `a/C.java` | |\n| `other` | reason |"))
                .containsExactly("a/B.java");
        assertThat("System.out.println(1)").containsPattern(STANDARD_STREAM);
        assertThat("Thread.sleep(5)").containsPattern(SLEEP);
        assertThat("// TO" + "DO later").containsPattern(UNFINISHED);
        assertThat(deadLinks(Sources.root().resolve("README.md"), "[x](docs/nowhere.md) [y](https://example.com)"))
                .hasSize(1);
    }

    private static boolean isTooLong(String text) {
        return text.lines().count() > LINES_MAX;
    }

    /** Those that a page names in a table with their reasons. */
    private static List<String> longFiles(String page) {
        return LONG_FILE.matcher(page).results().map(row -> row.group(1)).toList();
    }

    private static List<String> matches(Pattern pattern, boolean inTests) {
        return Sources.files(".java").stream()
                .filter(file -> Sources.isTest(file) == inTests && !file.endsWith("TidyTest.java"))
                .filter(file -> pattern.matcher(Sources.text(file)).find())
                .map(Sources::name)
                .toList();
    }

    private static List<String> deadLinks(Path document, String text) {
        List<String> dead = new ArrayList<>();
        Matcher link = LINK.matcher(text);
        while (link.find()) {
            String target = link.group(1);
            if (!target.contains(":") && !Files.exists(document.resolveSibling(target))) {
                dead.add(Sources.name(document) + ": " + target);
            }
        }
        return dead;
    }
}
