package io.fairlead.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDBException;

/** Which failures of the database are for want of a descriptor, whatever language the C library speaks. */
class DescriptorsTest {
    private static final String GERMAN = "While open a file for appending: /x/000009.log: Zu viele offene Dateien";

    @ParameterizedTest
    @ValueSource(
            strings = {
                GERMAN,
                "While open a file for random read: /x/000008.sst: Trop de fichiers ouverts",
                "While opening a file for sequentially reading: /x/CURRENT: Zu viele offene Dateien",
                "while reopen file for write: /x/000007.log: Zu viele offene Dateien"
            })
    void openingThatFails_whenHardlyAnyDescriptorIsFree_isForWantOfOne(String message) {
        assertThat(Descriptors.ranOut(message, () -> 3)).isTrue();
        assertThat(Descriptors.ranOut(message, () -> 10_000)).isFalse();
    }

    @Test
    void englishWords_areEnough() {
        assertThat(Descriptors.ranOut("While open a file: /x: Too many open files in system", () -> 10_000))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"While fdatasync: /x/000009.log: Input/output error", "Corruption: bad record", "null"})
    void failureOfTheDisk_isNoneForWantOfADescriptor_evenIfThereIsNone(String message) {
        assertThat(Descriptors.ranOut(message, () -> 0)).isFalse();
    }

    @Test
    void descriptorsOfThisProcess_areNotUsedUp() {
        assertThat(Descriptors.ranOut(new RocksDBException(GERMAN))).isFalse();
    }
}
