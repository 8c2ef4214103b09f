package io.fairlead.hosted;

import io.fairlead.model.ByteBudget;

/** The memory that most tests of hosted clusters give them. */
public final class TestMemory {
    private static final int MIB = 1024 * 1024;

    private TestMemory() {}

    /** The shares of a budget. */
    public static HostedMemory of(ByteBudget budget) {
        return HostedMemory.of(
                budget,
                2,
                4 * MIB,
                4 * MIB,
                HostedMemory.Bounds.ofDefinitions(),
                HostedMemory.Bounds.ofKept(),
                key -> {});
    }

    /** A quarter of the heap. */
    public static HostedMemory ofThisProcess() {
        return of(ByteBudget.of(Runtime.getRuntime().maxMemory() / 4));
    }
}
