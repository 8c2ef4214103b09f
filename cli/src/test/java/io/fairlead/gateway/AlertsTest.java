package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What alerts, rules and the dashboard read is on the page of metrics, which {@link MetricsPageTest} compares with what is counted; and
 * each alert is on the page for operators and among the tests of promtool, which {@code MetricsIT} runs.
 */
class AlertsTest {
    private static final Path CONFIG = Path.of("..", "config");
    private static final Path ALERTS = CONFIG.resolve("prometheus/alerts.yml");
    private static final Pattern METRIC = Pattern.compile("(?<![\\w:])(?:apiserver|fairlead)_\\w+(?![\\w:])");
    private static final Pattern ALERT = Pattern.compile("alert: (\\w+)");
    private static final Pattern ON_PAGE = Pattern.compile("(?m)^\\| `(Fairlead\\w+)` \\|");
    private static final Pattern TESTED = Pattern.compile("alertname: (\\w+)");

    /** What a histogram or a timer has beside its name. */
    private static final Pattern SUFFIX = Pattern.compile("_(bucket|count|sum)$");

    @ParameterizedTest
    @ValueSource(strings = {"prometheus/alerts.yml", "prometheus/rules.yml", "grafana/fairlead.json"})
    void everyMetricThatIsRead_isOnThePage(String file) throws IOException {
        String text = Files.readString(CONFIG.resolve(file));

        assertThat(missing(text, page())).isEmpty();
        assertThat(METRIC.matcher(text).find()).isTrue();
    }

    @Test
    void metricThatThereIsNot_isNoticed() throws IOException {
        assertThat(missing("rate(fairlead_queued_cals[5m]) + fairlead_queued_calls + cluster:apiserver_x:sum", page()))
                .containsExactly("fairlead_queued_cals");
        assertThat(missing("apiserver_request_duration_seconds_bucket", page())).isEmpty();
    }

    @Test
    void everyAlert_isOnThePageForOperators_andTested_andNoOtherIs() throws IOException {
        List<String> alerts = found(ALERT, Files.readString(ALERTS));

        assertThat(found(ON_PAGE, Files.readString(Path.of("..", "docs", "operations.md"))))
                .containsExactlyElementsOf(alerts);
        assertThat(new TreeSet<>(found(TESTED, Files.readString(CONFIG.resolve("prometheus/tests/alerts_test.yml")))))
                .isEqualTo(new TreeSet<>(alerts));
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "metrics.md"));
    }

    private static Set<String> missing(String text, String page) {
        return METRIC.matcher(text)
                .results()
                .map(found -> found.group())
                .filter(name -> !page.contains("`" + name + "`")
                        && !page.contains("`" + SUFFIX.matcher(name).replaceFirst("") + "`"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }
}
