package io.fairlead.gateway;

import io.fairlead.config.Configuration;
import io.fairlead.gateway.admin.AuditCheck;
import io.fairlead.gateway.audit.AuditLog;
import io.fairlead.gateway.audit.AuditPolicy;
import io.fairlead.gateway.audit.Audits;
import io.fairlead.gateway.audit.StuckWrites;
import io.fairlead.gateway.listen.AddressRate;
import io.fairlead.gateway.metrics.AuditMeters;
import io.fairlead.model.FileFault;
import io.fairlead.model.Supervised;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The audit log of a gateway that has one, with the file of its policy.
 *
 * <p>Threads: {@link #look} is for one at a time; the others are for any.
 */
final class Auditing implements AutoCloseable {
    private final FileInUse<AuditPolicy> policy;
    private final AuditLog log;
    private final StuckWrites stuck;
    private final Audits audits;
    private final AuditCheck check;

    private Auditing(FileInUse<AuditPolicy> policy, AuditLog log, StuckWrites stuck, Audits audits, AuditCheck check) {
        this.policy = policy;
        this.log = log;
        this.stuck = stuck;
        this.audits = audits;
        this.check = check;
    }

    /**
     * Reads the policy and opens the log, if there is one.
     *
     * @param metrics count its lines
     * @param witness is told of an Error that interrupts the writing
     */
    static @Nullable Auditing open(
            Configuration configuration,
            MeterRegistry metrics,
            InstantSource clock,
            LongSupplier nanoTime,
            Supervised.Witness witness)
            throws StartFailure {
        Path file = configuration.auditPolicyFile();
        Path path = configuration.auditLogPath();
        if (file == null || path == null) {
            return null;
        }
        AuditMeters meters = new AuditMeters(metrics);
        FileInUse<AuditPolicy> policy = FileInUse.open("auditPolicyFile", file, AuditPolicy::parse, clock);
        try {
            AuditLog log = AuditLog.open(path, configuration, meters, clock, nanoTime, witness);
            meters.bind(log, policy::isRefused);
            Audits audits = new Audits(
                    policy::current,
                    log,
                    configuration.auditLogMode(),
                    configuration.limits().auditBodyBytesMax().intBytes(),
                    new AddressRate(configuration.limits().auditedUnknownCallersPerSecondMax(), nanoTime),
                    meters,
                    clock);
            StuckWrites stuck = new StuckWrites(log, witness);
            stuck.start();
            return new Auditing(policy, log, stuck, audits, new AuditCheck(log, configuration.auditLogMode()));
        } catch (IOException unwritable) {
            throw new StartFailure(
                    "auditLogPath: \"" + path + "\" cannot be written (" + FileFault.of(unwritable) + ")", "");
        }
    }

    Audits audits() {
        return audits;
    }

    /** Whether the log can be written. */
    AuditCheck check() {
        return check;
    }

    /** The threads that write the log and watch over that. */
    List<Supervised> work() {
        return List.of(log.work(), stuck.work());
    }

    /** Whether the policy's file has changed and cannot be used. */
    boolean isPolicyRefused() {
        return policy.isRefused();
    }

    /** Applies the policy's file. */
    Look look(boolean isWhole) {
        return policy.look(isWhole);
    }

    @Override
    public void close() {
        stuck.close();
        log.close();
    }
}
