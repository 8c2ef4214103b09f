package io.fairlead.gateway.admin;

import io.fairlead.fleet.ReadinessCheck;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Whether caches, watches and rights of hosted clusters follow what is written to the store. While they do not, requests that
 * rest on such rights get 503.
 */
public final class FeedCheck implements ReadinessCheck {
    private final BooleanSupplier isCurrent;

    /**
     * Makes the check.
     *
     * @param isCurrent whether what is written is followed; never blocks
     */
    public FeedCheck(BooleanSupplier isCurrent) {
        this.isCurrent = isCurrent;
    }

    @Override
    public String name() {
        return "informer-sync";
    }

    @Override
    public Optional<String> failure() {
        return isCurrent.getAsBoolean()
                ? Optional.empty()
                : Optional.of(
                        "the store's changes cannot be read; rights in hosted clusters are refused until they can");
    }
}
