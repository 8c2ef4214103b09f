package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.config.ByteSize;
import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.config.Key;
import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.model.ByteBudget;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every bound of the front end, of hosted clusters, of attached ones, of the index and of the store is a key of the configuration. */
class LimitsTest {
    private static final int OTHER = 7777;
    private static final ByteBudget BUFFERS = ByteBudget.of(1024L * 1024 * 1024);

    @Test
    void defaultConfiguration_isTheDefaultLimits() throws Exception {
        assertThat(Limits.ofFrontEnd(read(Map.of()))).isEqualTo(EdgeLimits.defaults());
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyKey_changesTheLimits(Key key) throws Exception {
        Configuration changed = read(Map.of(key.path(), other(key)));

        boolean ofHostedClusters = !words(hosted(changed)).equals(words(hosted(read(Map.of()))));
        boolean ofAttachedClusters = !attached(changed).equals(attached(read(Map.of())));
        boolean ofStore = !Limits.ofStore(changed).equals(Limits.ofStore(read(Map.of())));
        boolean ofClusterFiles = changed.limits().clusterFilesMax() == OTHER;
        assertThat(Limits.ofFrontEnd(changed).equals(EdgeLimits.defaults())
                        && !ofHostedClusters
                        && !ofAttachedClusters
                        && !ofStore
                        && !ofClusterFiles)
                .as("nothing changes")
                .isFalse();
    }

    /** Lists, bodies and changes for watches are one budget, of which no cluster has most by itself. */
    @Test
    void clusterAtAllItsLimits_leavesAThirdOfTheBudget() throws Exception {
        HostedMemory hosted = hosted(read(Map.of())).memory();
        EdgeLimits.Buffers bodies = Limits.ofFrontEnd(read(Map.of())).buffers();

        double ofHosted = (double) (hosted.clusterBytesMax() + hosted.history().clusterBytesMax()) / BUFFERS.bytesMax();
        double ofBodies = (double) bodies.perClusterBytesMax() / bodies.bytesMax();
        assertThat(ofHosted + ofBodies).isLessThan(0.67);
    }

    @ParameterizedTest
    @ValueSource(strings = {AnswerLimits.PAGE_BYTES, AnswerLimits.LIST_BYTES, AnswerLimits.EVENT_BYTES})
    void everyLimitThatAttachedClustersMeet_isAKey(String limit) {
        assertThat(Key.ALL).extracting(Key::path).contains(limit);
    }

    @Test
    void defaultParts_leaveRoomToTheOthersOfACluster_andToBodiesBesideLists() throws Exception {
        EdgeLimits.Buffers buffers = EdgeLimits.Buffers.of(BUFFERS.bytesMax());
        long lists = hosted(read(Map.of())).memory().budget().bytesMax();

        assertThat(buffers.perClusterBytesMax() - buffers.perCallerBytesMax()).isEqualTo(BUFFERS.bytesMax() / 8);
        assertThat(lists + buffers.perClusterBytesMax()).isEqualTo(BUFFERS.bytesMax());
    }

    @ParameterizedTest
    @EnumSource
    void everyLimitThatIsCounted_isAKey(Limit limit) {
        assertThat(Key.ALL).extracting(Key::path).contains(limit.key());
    }

    private static void reached(String key) {}

    /** Without what is told apart by identity; the budget's size shows in its parts. */
    private static String words(HostedSettings settings) {
        return settings.toString().replaceAll("(reached|budget)=[^],]*", "");
    }

    private static HostedSettings hosted(Configuration configuration) {
        return Limits.ofHostedClusters(configuration, BUFFERS, LimitsTest::reached);
    }

    /** But for whom it tells. */
    private static String attached(Configuration configuration) {
        return Limits.ofAttachedClusters(configuration, LimitsTest::reached)
                .toString()
                .replaceAll("reached=[^]]*", "");
    }

    static Stream<Key> keys() {
        return Key.ALL.stream().filter(key -> key.path().matches("(limits|attached|hosted|store|index)[.].*"));
    }

    @Test
    void leastThatTheConfigurationAllowsOfTheStore_isAStore() throws Exception {
        Configuration least = read(Map.of("store.commitQueueBytesMax", "9Mi", "store.blockCacheBytes", "1Mi"));

        assertThat(Limits.ofStore(least).commitQueueBytesMax()).isEqualTo(9L << 20);
    }

    private static String other(Key key) {
        if (key.type() == Duration.class) {
            return "7777ms";
        }
        boolean isNumber = key.type() == ByteSize.class || key.type() == int.class || key.type() == Integer.class;
        if (key.type() == ByteSize.class && key.path().startsWith("store.")) {
            return "77Mi";
        }
        return isNumber ? String.valueOf(OTHER) : "unforeseen";
    }

    private static Configuration read(Map<String, String> flags) throws Exception {
        return ConfigurationReader.read(null, Map.of(), flags);
    }
}
