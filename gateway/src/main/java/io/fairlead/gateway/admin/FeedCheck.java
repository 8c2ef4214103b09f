package io.fairlead.gateway.admin;

import io.fairlead.fleet.ReadinessCheck;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Whether caches, watches and rights of hosted clusters keep up with the store. While they do not, requests that depend
 * on such rights get 503.
 */
public final class FeedCheck implements ReadinessCheck {
    private final BooleanSupplier isCurrent;

    /**
     * The check.
     *
     * @param isCurrent whether followers keep up; never blocks
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
