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
    private static final int MAIN_LINES_MAX = 500;
    private static final int TEST_LINES_MAX = 800;
    private static final Pattern STANDARD_STREAM = Pattern.compile("\\bSystem\\.(out|err)\\.");
    private static final Pattern SLEEP = Pattern.compile("\\bThread\\.sleep\\(");
    private static final Pattern UNFINISHED = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");

    @Test
    void files_areShortEnoughToRead() {
        List<String> tooLong = new ArrayList<>();
        for (Path file : Sources.files(".java")) {
            long lines = Sources.text(file).lines().count();
            if (lines > (Sources.isTest(file) ? TEST_LINES_MAX : MAIN_LINES_MAX)) {
                tooLong.add(Sources.name(file) + ": " + lines + " lines");
            }
        }
        assertThat(tooLong).isEmpty();
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
        assertThat("System.out.println(1)").containsPattern(STANDARD_STREAM);
        assertThat("Thread.sleep(5)").containsPattern(SLEEP);
        assertThat("// TO" + "DO later").containsPattern(UNFINISHED);
        assertThat(deadLinks(Sources.root().resolve("README.md"), "[x](docs/nowhere.md) [y](https://example.com)"))
                .hasSize(1);
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
