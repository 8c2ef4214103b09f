package io.fairlead.clustersync.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.FollowedCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SyncSettingsTest {
    @ParameterizedTest
    @CsvSource({"64, 4", "512, 4", "1024, 8", "2048, 16", "65536, 32"})
    void listsAtOnce_growWithTheHeap(long heapMiB, int lists) {
        assertThat(SyncSettings.listsAtOnceMax(heapMiB << 20)).isEqualTo(lists);
    }

    @ParameterizedTest
    @CsvSource({"64, 4, 8, 64", "512, 4, 16, 128", "2048, 16, 16, 512", "65536, 32, 64, 16384"})
    void whatIsReadOfAnAnswer_growsWithTheHeap(long heapMiB, int lists, long pageMiB, long listMiB) {
        assertThat(AnswerLimits.pageBytesMaxByDefault(heapMiB << 20, lists)).isEqualTo(pageMiB << 20);
        assertThat(AnswerLimits.listBytesMaxByDefault(heapMiB << 20)).isEqualTo(listMiB << 20);
    }

    @Test
    void clusterThatIsAway_isLookedForMoreOftenThanProbed_andAPageIsDueBeforeItsList() {
        SyncSettings defaults = TestSettings.patient();

        assertThat(defaults.lookInterval()).isEqualTo(Duration.ofSeconds(2));
        assertThat(defaults.pageTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(FollowedCluster.QUICK.pageTimeout()).isEqualTo(Duration.ofSeconds(5));
    }
}
