package io.fairlead.repository;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/rooms.md has every package with the sentence that its package-info begins with. */
class RoomsPageTest {
    private static final Pattern MODULE = Pattern.compile("<module>([a-z-]+)</module>");
    private static final Pattern DOC = Pattern.compile("/\\*\\*(.*?)(?:<p>|\\*/)", Pattern.DOTALL);
    private static final Pattern PACKAGE = Pattern.compile("^package (\\S+);", Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("\\{@link\\s+(?:\\*\\s+)?(io\\.fairlead[\\w.]+)");

    @Test
    void page_hasEveryPackage() {
        String rows = sources("package-info.java").stream()
                .map(file -> "| `%s` | %s |".formatted(name(file), firstSentence(file)))
                .collect(joining("\n"));

        assertThat(Sources.text(Sources.root().resolve("docs/rooms.md"))).endsWith(rows + "\n");
    }

    @Test
    void everyPackage_saysWhatItIsFor() {
        List<Path> explained =
                sources("package-info.java").stream().map(Path::getParent).toList();

        assertThat(sources(".java")).extracting(Path::getParent).isSubsetOf(explained);
    }

    @Test
    void classesToStartWith_areThere() {
        for (Path file : sources("package-info.java")) {
            for (MatchResult link : LINK.matcher(Sources.text(file)).results().toList()) {
                String path = link.group(1).replace('.', '/');
                assertThat(modules())
                        .as("%s begins with %s", Sources.name(file), link.group(1))
                        .anyMatch(module -> Files.exists(module.resolve(path + ".java"))
                                || Files.exists(module.resolve(path + "/package-info.java")));
            }
        }
    }

    /** In the order of the modules, then by name. */
    private static List<Path> sources(String ending) {
        List<Path> all = Sources.files(ending);
        return modules().stream()
                .flatMap(module -> all.stream().filter(file -> file.startsWith(module)))
                .toList();
    }

    private static List<Path> modules() {
        return MODULE.matcher(Sources.text(Sources.root().resolve("pom.xml")))
                .results()
                .map(module -> Sources.root().resolve(module.group(1)).resolve("src/main/java"))
                .toList();
    }

    private static String name(Path packageInfo) {
        Matcher name = PACKAGE.matcher(Sources.text(packageInfo));
        assertThat(name.find()).as("%s names a package", packageInfo).isTrue();
        return name.group(1).substring("io.fairlead.".length());
    }

    private static String firstSentence(Path packageInfo) {
        Matcher doc = DOC.matcher(Sources.text(packageInfo));
        assertThat(doc.find()).as("%s has a text", packageInfo).isTrue();
        String text = doc.group(1)
                .replaceAll("\\n \\* ?", " ")
                .replaceAll("\\{@code ([^}]*)}", "`$1`")
                .replaceAll("\\{@link (?:[\\w.]*\\.)?(\\w+)}", "`$1`")
                .replaceAll("\\s+", " ")
                .strip();
        return text.split("(?<=\\.) ", 2)[0];
    }
}
