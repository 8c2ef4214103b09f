package io.fairlead.storage;

import java.time.Duration;

/** The limits that most tests of stores use. */
final class TestOptions {
    private static final long MIB = 1024 * 1024;

    private TestOptions() {}

    static StoreOptions defaults() {
        return new StoreOptions(64 * MIB, Duration.ofSeconds(5), 8192, 16 * MIB, 32 * MIB, 64 * MIB);
    }
}
