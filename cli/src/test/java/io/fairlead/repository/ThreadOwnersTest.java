package io.fairlead.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whatever makes a thread or a task for later stands in docs/threads.md, with its owner and a test of what an Error does. */
class ThreadOwnersTest {
    private static final Pattern SITE = Pattern.compile("Thread\\s*\\.of(Virtual|Platform)\\("
            + "|new Thread\\("
            + "|startVirtualThread"
            + "|Executors\\s*\\.\\s*new"
            + "|new (Scheduled)?ThreadPoolExecutor\\("
            + "|ForkJoinPool"
            + "|new Timer\\(\\)"
            + "|new \\w*EventLoopGroup\\("
            + "|\\.newGroup\\("
            + "|new DefaultThreadFactory\\("
            + "|\\.schedule(AtFixedRate|WithFixedDelay)?\\("
            + "|\\.parallel(Stream)?\\("
            + "|(run|supply)Async\\("
            + "|HttpClient\\s*\\.newBuilder"
            + "|new KubernetesClientBuilder\\("
            + "|new KeyQueue\\(");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
    private static final Pattern ROW = Pattern.compile(
            "^\\| `(\\w+)` \\| (\\d+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\| `(\\w+)(?:\\.(\\w+))?` \\|$",
            Pattern.MULTILINE);
    private static final Path PAGE = Sources.root().resolve("docs/threads.md");

    @Test
    void everySite_isOnThePage_andEveryRowHasItsSites() {
        assertThat(onThePage(Sources.text(PAGE))).isEqualTo(inProduction());
    }

    @Test
    void everyRow_namesATestThatExists() {
        assertThat(missingTests(Sources.text(PAGE))).isEmpty();
    }

    @Test
    void everyRow_isRead() {
        long rows = Sources.text(PAGE)
                .lines()
                .filter(line -> line.startsWith("| `"))
                .count();

        assertThat(ROW.matcher(Sources.text(PAGE)).results().count()).isEqualTo(rows);
    }

    @Test
    void canaries_areCaught() {
        assertThat(sites("Thread.ofVirtual().start(this::run); // not Thread.ofVirtual()"))
                .isOne();
        assertThat(sites("Thread t = new Thread(this);")).isOne();
        assertThat(sites("scheduler\n    .schedule(task, 1, SECONDS); loop.scheduleAtFixedRate(task);"))
                .isEqualTo(2);
        assertThat(sites("CompletableFuture.runAsync(task); Executors.newCachedThreadPool();"))
                .isEqualTo(2);
        assertThat(sites("/* new Thread(x) */ new KeyQueue(name)")).isOne();
        String page = "| `Nowhere` | 2 | what | owner | it goes on | `TidyTest.nothing_isHere` |\n";
        assertThat(onThePage(page)).isEqualTo(Map.of("Nowhere", 2L));
        assertThat(missingTests(page)).hasSize(1);
    }

    private static Map<String, Long> onThePage(String page) {
        return ROW.matcher(page)
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1), row -> Long.parseLong(row.group(2)), Long::sum, TreeMap::new));
    }

    private static Map<String, Long> inProduction() {
        Map<String, Long> found = new TreeMap<>();
        for (Path file : Sources.files(".java")) {
            boolean isProduct = !Sources.isTest(file)
                    && !Sources.name(file).startsWith("benchmarks/")
                    && !Sources.name(file).startsWith("testkit/");
            long sites = isProduct ? sites(Sources.text(file)) : 0;
            if (sites > 0) {
                found.merge(classOf(file), sites, Long::sum);
            }
        }
        return found;
    }

    private static long sites(String text) {
        return SITE.matcher(COMMENT.matcher(text).replaceAll("")).results().count();
    }

    private static List<String> missingTests(String page) {
        Map<String, String> tests = Sources.files("Test.java").stream()
                .collect(Collectors.toMap(ThreadOwnersTest::classOf, Sources::text, String::concat));
        List<String> missing = new ArrayList<>();
        Matcher row = ROW.matcher(page);
        while (row.find()) {
            String test = tests.getOrDefault(row.group(6), "");
            if (row.group(7) == null || !test.contains("void " + row.group(7) + "(")) {
                missing.add(row.group(1) + ": " + row.group(6) + "." + row.group(7));
            }
        }
        return missing;
    }

    private static String classOf(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }
}
