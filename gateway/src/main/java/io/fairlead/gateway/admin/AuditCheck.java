package io.fairlead.gateway.admin;

import io.fairlead.config.Configuration.AuditMode;
import io.fairlead.fleet.ReadinessCheck;
import io.fairlead.gateway.audit.AuditLog;
import java.util.Optional;

/**
 * Whether the audit log can be written. It fails where nothing is served without a record; where only changes are refused, or
 * nothing is, the text says so.
 */
public final class AuditCheck implements ReadinessCheck {
    private final AuditLog log;
    private final AuditMode mode;

    /** A check of the log of requests that have to do with it what the mode says. */
    public AuditCheck(AuditLog log, AuditMode mode) {
        this.log = log;
        this.mode = mode;
    }

    @Override
    public String name() {
        return "audit-log";
    }

    @Override
    public Optional<String> failure() {
        return mode == AuditMode.BLOCKING_STRICT
                ? log.failure().map(why -> "it cannot be written (" + why + "); what it should record is refused")
                : Optional.empty();
    }

    @Override
    public Optional<String> detail() {
        return mode == AuditMode.BLOCKING_STRICT
                ? Optional.empty()
                : log.failure()
                        .map(why -> "it cannot be written (" + why + "); "
                                + (mode == AuditMode.BLOCKING
                                        ? "what it should record is refused if it changes something, reads are not"
                                        : "lines that find no room are left out"));
    }
}
