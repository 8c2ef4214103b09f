package io.fairlead.clustersync;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SyncSettingsTest {
    @ParameterizedTest
    @CsvSource({"64, 4", "512, 4", "1024, 8", "2048, 16", "65536, 32"})
    void listsAtOnce_growWithTheHeap(long heapMiB, int lists) {
        assertThat(SyncSettings.listsAtOnceMax(heapMiB << 20)).isEqualTo(lists);
    }
}
