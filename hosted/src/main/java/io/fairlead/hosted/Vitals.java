package io.fairlead.hosted;

import java.util.function.BooleanSupplier;

/**
 * What the health checks of a cluster ask of what it shares with all others. Neither may block.
 *
 * @param isStoreSound whether the store works
 * @param isShuttingDown whether the server has begun to stop
 */
public record Vitals(BooleanSupplier isStoreSound, BooleanSupplier isShuttingDown) {}
