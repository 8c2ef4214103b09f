package io.fairlead.gateway.admin;

import io.fairlead.fleet.ReadinessCheck;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Whether the root cluster is registered. Without it no client can register a cluster or change one, and requests that
 * name no cluster are not served; it is registered again at the next start.
 */
public final class RootCheck implements ReadinessCheck {
    private final BooleanSupplier isRegistered;

    /**
     * The check.
     *
     * @param isRegistered whether requests find the root cluster; never blocks
     */
    public RootCheck(BooleanSupplier isRegistered) {
        this.isRegistered = isRegistered;
    }

    @Override
    public String name() {
        return "root-cluster";
    }

    @Override
    public Optional<String> failure() {
        return isRegistered.getAsBoolean()
                ? Optional.empty()
                : Optional.of("the Cluster \"root\" is gone (expected it to be there; a restart registers it again)");
    }
}
