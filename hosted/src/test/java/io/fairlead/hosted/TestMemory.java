package io.fairlead.hosted;

import io.fairlead.model.ByteBudget;
import java.util.function.Consumer;

/** The memory that most tests of hosted clusters give them. */
public final class TestMemory {
    private static final int MIB = 1024 * 1024;

    private TestMemory() {}

    /** The shares of a budget. */
    public static HostedMemory of(ByteBudget budget) {
        return HostedMemory.of(
                budget,
                HostedMemory.ofWork(),
                2,
                4 * MIB,
                4 * MIB,
                HostedMemory.Bounds.ofDefinitions(),
                HostedMemory.Bounds.ofKept(),
                key -> {});
    }

    /** With other bounds of what open clusters keep, of which it is told when they are reached. */
    public static HostedMemory of(HostedMemory.Bounds definitions, HostedMemory.Bounds kept, Consumer<String> reached) {
        return HostedMemory.of(
                ByteBudget.of(256L * MIB), HostedMemory.ofWork(), 2, 4 * MIB, 4 * MIB, definitions, kept, reached);
    }

    /** A quarter of the heap. */
    public static HostedMemory ofThisProcess() {
        return of(ByteBudget.of(Runtime.getRuntime().maxMemory() / 4));
    }
}
