package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.config.ByteSize;
import io.fairlead.config.Configuration;
import io.fairlead.config.Key;
import io.fairlead.gateway.limits.BufferLimits;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.model.ByteBudget;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every key that is converted for a part below the gateway bounds that part. The front end reads the others itself; that
 * each is read is looked at over the whole program.
 */
class LimitsTest {
    private static final int OTHER = 7777;
    private static final int OTHER_OF_STORE = 77 << 20;
    private static final ByteBudget BUFFERS = ByteBudget.of(1024L * 1024 * 1024);

    @ParameterizedTest
    @MethodSource("keys")
    void everyKey_changesTheLimits(Key key) {
        assertThat(all(Limited.by(Map.of(key.path(), other(key)))))
                .as("the limits where %s is not its default", key.path())
                .isNotEqualTo(all(Limited.BY_DEFAULT));
    }

    /** So that of two keys neither sets what the other is for. */
    @ParameterizedTest
    @MethodSource("keys")
    void everyKey_setsAtMostOneBound_andThatIsNamedLikeIt(Key key) {
        Configuration given = Limited.by(Map.of(key.path(), other(key)));
        List<String> set = Stream.of(Limits.ofUpstreams(given), Limits.ofStore(given))
                .flatMap(LimitsTest::others)
                .toList();

        assertThat(set)
                .hasSizeLessThanOrEqualTo(1)
                .allSatisfy(name -> assertThat(words(name)).allMatch(word -> isIn(key, word)));
        assertThat(key.path().matches("(upstream|store)[.].*") && set.isEmpty())
                .as("%s sets nothing", key.path())
                .isFalse();
    }

    @Test
    void wordOfAnotherKey_isNoticed() {
        Key key = Key.ALL.stream()
                .filter(one -> one.path().equals("upstream.idleTimeout"))
                .findFirst()
                .orElseThrow();

        assertThat(words("idleTimeout")).allMatch(word -> isIn(key, word));
        assertThat(words("handshakeTimeout")).anyMatch(word -> !isIn(key, word));
    }

    /** Which components of a record, and of those in it, have what {@link #other} gives. */
    private static Stream<String> others(Record limits) {
        return Arrays.stream(limits.getClass().getRecordComponents()).flatMap(component -> switch (value(
                limits, component)) {
            case Record part -> others(part);
            case Duration time when time.toMillis() == OTHER -> Stream.of(component.getName());
            case Number amount
            when amount.longValue() == OTHER || amount.longValue() == OTHER_OF_STORE -> Stream.of(component.getName());
            case null, default -> Stream.of();
        });
    }

    private static @Nullable Object value(Record limits, RecordComponent component) {
        try {
            return component.getAccessor().invoke(limits);
        } catch (ReflectiveOperationException broken) {
            throw new LinkageError(component.toString(), broken);
        }
    }

    private static List<String> words(String name) {
        return Arrays.stream(name.split("(?=[A-Z])|[.]"))
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
    }

    /** As it is, or as a stem: {@code log} in {@code logged}. */
    private static boolean isIn(Key key, String word) {
        return words(key.path()).stream().anyMatch(other -> other.startsWith(word) || word.startsWith(other));
    }

    @Test
    void sameConfiguration_isTheSameLimits() {
        assertThat(all(Limited.by(Map.of()))).isEqualTo(all(Limited.BY_DEFAULT));
    }

    /** Lists, bodies and changes for watches are one budget, of which no cluster has most by itself. */
    @Test
    void clusterAtAllItsLimits_leavesAThirdOfTheBudget() {
        HostedMemory hosted = hosted(Limited.BY_DEFAULT).memory();
        BufferLimits bodies = BufferLimits.of(Limited.BY_DEFAULT.limits());

        double ofHosted = (double) (hosted.clusterBytesMax() + hosted.history().clusterBytesMax()) / BUFFERS.bytesMax();
        double ofBodies = (double) bodies.perClusterBytesMax() / bodies.bytesMax();
        assertThat(ofHosted + ofBodies).isLessThan(0.67);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                AnswerLimits.PAGE_BYTES,
                AnswerLimits.LIST_BYTES,
                AnswerLimits.EVENT_BYTES,
                AnswerLimits.KEPT_BYTES,
                AnswerLimits.KEPT_BYTES_PER_CLUSTER
            })
    void everyLimitThatAttachedClustersMeet_isAKey(String limit) {
        assertThat(Key.ALL).extracting(Key::path).contains(limit);
    }

    @Test
    void defaultParts_leaveRoomToTheOthersOfACluster_andToBodiesBesideLists() {
        BufferLimits buffers = BufferLimits.of(Limited.by(Map.of("limits.bufferedBytesMax", BUFFERS.bytesMax()))
                .limits());
        long lists = hosted(Limited.BY_DEFAULT).memory().budget().bytesMax();

        assertThat(buffers.perClusterBytesMax() - buffers.perCallerBytesMax()).isEqualTo(BUFFERS.bytesMax() / 8);
        assertThat(lists + buffers.perClusterBytesMax()).isEqualTo(BUFFERS.bytesMax());
    }

    @ParameterizedTest
    @EnumSource
    void everyLimitThatIsCounted_isAKey(Limit limit) {
        assertThat(Key.ALL).extracting(Key::path).contains(limit.key());
    }

    private static void reached(String key) {}

    /** Of every part. */
    private static List<Object> all(Configuration configuration) {
        return List.of(
                BufferLimits.of(configuration.limits()),
                Limits.ofUpstreams(configuration),
                words(hosted(configuration)),
                attached(configuration),
                Limits.ofIndex(configuration),
                Limits.ofStore(configuration));
    }

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
        return Key.ALL.stream()
                .filter(key -> key.path()
                        .matches("(upstream|attached|hosted|store|index)[.].*|"
                                + "limits[.](hosted|watchHistory|watchBuffer|definition|buffered).*"))
                .filter(key -> !key.path()
                        .matches("(upstream[.](allow|denied)|hosted[.]backend).*")) // which addresses, not how much
                .filter(key -> !key.path().matches("index[.]unknownWait(ersMax)?")); // of the front end
    }

    @Test
    void leastThatTheConfigurationAllowsOfTheStore_isAStore() {
        Configuration least = Limited.by(Map.of("store.commitQueueBytesMax", "9Mi", "store.blockCacheBytes", "1Mi"));

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
}
