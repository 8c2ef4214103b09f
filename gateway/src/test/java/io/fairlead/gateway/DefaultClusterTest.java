package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.testkit.LogLines;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A default cluster that does not exist is told of at the start. */
class DefaultClusterTest {
    @TempDir
    private Path folder;

    @Test
    void clusterThatIsNotRegistered_isWarnedOf() throws Exception {
        assertThat(toldAtTheStart("nope"))
                .containsExactly("WARN The default cluster is not registered; requests that name no cluster are refused"
                        + " until it is key=selection.defaultCluster cluster=nope");
    }

    @ParameterizedTest
    @ValueSource(strings = {"root", "none"})
    void clusterThatIs_andNone_areNot(String cluster) throws Exception {
        assertThat(toldAtTheStart(cluster)).isEmpty();
    }

    private List<String> toldAtTheStart(String cluster) throws Exception {
        Map<String, String> flags = new HashMap<>();
        flags.put("dataDir", folder.resolve("data").toString());
        flags.put("securePort", "0");
        flags.put("metricsAddress", "off");
        flags.put("selection.defaultCluster", cluster);
        Configuration configuration =
                ConfigurationReader.read(null, Map.of(), flags, new ConfiguredFiles(InstantSource.system()));
        try (LogLines lines = new LogLines(DefaultCluster.class);
                Gateway _ = Gateway.start(configuration, _ -> configuration)) {
            return List.copyOf(lines.texts());
        }
    }
}
