package io.fairlead.gateway.admin;

import io.fairlead.fleet.ReadinessCheck;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Whether the files that say whose tokens are, and what the audit log records, can be used. It never fails: what was read before is in use as long as they cannot,
 * and a mistake that reaches all gateways of a fleet at once must not take them all away.
 */
public final class FilesCheck implements ReadinessCheck {
    private final BooleanSupplier isAnyRefused;

    /** A check of files. */
    public FilesCheck(BooleanSupplier isAnyRefused) {
        this.isAnyRefused = isAnyRefused;
    }

    @Override
    public String name() {
        return "configured-files";
    }

    @Override
    public Optional<String> failure() {
        return Optional.empty();
    }

    @Override
    public Optional<String> detail() {
        return isAnyRefused.getAsBoolean()
                ? Optional.of("a changed one cannot be used, see the log; what was read before is in use")
                : Optional.empty();
    }
}
