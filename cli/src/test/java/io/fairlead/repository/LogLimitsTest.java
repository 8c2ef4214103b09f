package io.fairlead.repository;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** No class fills the log: whatever tells of something at INFO or above does so through Repetitions, or is bounded otherwise. */
class LogLimitsTest {
    private static final Pattern LINE = Pattern.compile("\\bLOG\\s*\\.(at)?(Info|Warn|Error|info|warn|error)\\(");

    /** What bounds the lines of those that have no other limit. */
    private static final Map<String, String> BOUNDED_OTHERWISE = Map.ofEntries(
            entry("Bootstrap", "tells of the initial objects of a cluster, when it is opened"),
            entry("ClusterSync", "tells of an audit, which comes after index.auditInterval"),
            entry("Closing", "ends once"),
            entry("EdgeServer", "drains once, and tells of it every five seconds"),
            entry("ControlPlane", "closes once"),
            entry("DefaultCluster", "looks once, at the start"),
            entry("Gateway", "drains once"),
            entry("Listener", "is made once"),
            entry("LoggedStore", "tells of a reason once until ten seconds passed without a refusal"),
            entry("RefusedRequests", "tells of logRefusedPerSecondMax requests a second"),
            entry("Serving", "tells of variables once, at the start"));

    @Test
    void everyClassThatLogs_isBounded() {
        TreeSet<String> unbounded = new TreeSet<>();
        TreeSet<String> needless = new TreeSet<>(BOUNDED_OTHERWISE.keySet());
        for (Path file : Sources.files(".java")) {
            if (!Sources.isTest(file) && !Sources.name(file).startsWith("benchmarks/")) {
                String name = file.getFileName().toString().replace(".java", "");
                if (isUnbounded(Sources.text(file)) && !needless.remove(name)) {
                    unbounded.add(name);
                }
            }
        }

        assertThat(unbounded).isEmpty();
        assertThat(needless).as("named here without need").isEmpty();
    }

    @Test
    void canaries_areCaught() {
        assertThat(isUnbounded("LOG.info(\"x\")")).isTrue();
        assertThat(isUnbounded("LOG\n    .atWarn().log(\"x\")")).isTrue();
        assertThat(isUnbounded("LOG.debug(\"x\")")).isFalse();
        assertThat(isUnbounded("new Repetitions(); LOG.error(\"x\")")).isFalse();
    }

    private static boolean isUnbounded(String text) {
        return LINE.matcher(text).find() && !text.contains("Repetitions");
    }
}
