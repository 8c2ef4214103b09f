package io.fairlead.gateway.audit;

import io.fairlead.config.Configuration.AuditMode;
import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.listen.AddressRate;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Has requests recorded as the policy asks for, and decides what a request has to do with its record: nothing, or to wait for
 * it.
 *
 * <p>Threads: any; never blocks.
 */
public final class Audits {
    private static final int RETRY_AFTER_SECONDS = 1;
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    private final Supplier<AuditPolicy> policy;
    private final AuditLog log;
    private final AuditMode mode;
    private final int bodyBytesMax;
    private final AddressRate unknownCallers;
    private final AuditMetrics metrics;
    private final InstantSource clock;

    /**
     * Audits by a policy.
     *
     * @param policy the one that is in force for the next request
     * @param mode what requests have to do with their records
     * @param bodyBytesMax of a body in a line
     * @param unknownCallers how many lines of callers who are not known an address may cause
     */
    public Audits(
            Supplier<AuditPolicy> policy,
            AuditLog log,
            AuditMode mode,
            int bodyBytesMax,
            AddressRate unknownCallers,
            AuditMetrics metrics,
            InstantSource clock) {
        this.policy = policy;
        this.log = log;
        this.mode = mode;
        this.bodyBytesMax = bodyBytesMax;
        this.unknownCallers = unknownCallers;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** Observes a request from now on. On its event loop, before its caller is known. */
    public void attend(Described described, Reply reply) {
        reply.attend(new AuditedRequest(this, described, reply.auditId(), nowMicros()));
    }

    AuditPolicy policy() {
        return policy.get();
    }

    AuditMetrics metrics() {
        return metrics;
    }

    int bodyBytesMax() {
        return bodyBytesMax;
    }

    /** Since 1970. */
    long nowMicros() {
        Instant now = clock.instant();
        return now.getEpochSecond() * MICROS_PER_SECOND + now.getNano() / NANOS_PER_MICRO;
    }

    /** Records a line of which nothing depends, if it is one. */
    void record(LineBytes line) {
        if (line.length() > 0) {
            metrics.made();
            var _ = log.append(line.array(), line.length(), null);
        }
    }

    /**
     * Records a line of a caller who is not known, unless its address has caused enough of them in this second, or half of the room is
     * taken: that is left to requests that are served.
     */
    void recordUnknownCaller(InetAddress address, LineBytes line) {
        if (line.length() == 0) {
            return;
        }
        if (!unknownCallers.allows(address)) {
            metrics.tooManyUnknownCallers();
        } else if (log.isCrowded()) {
            metrics.made();
            metrics.lost(1);
        } else {
            record(line);
        }
    }

    /**
     * Records the first line of a request, if it has one.
     *
     * @param line empty if it has none
     * @param heldBytes what the request keeps in the heap while it waits
     * @param changes whether the request may change something
     * @param later as of {@link io.fairlead.gateway.answer.Witness#received}
     * @return whether it goes on at once
     * @throws StatusException if it cannot be recorded and must be
     */
    boolean admit(LineBytes line, int heldBytes, boolean changes, Consumer<Optional<Status>> later) {
        if (mode == AuditMode.BATCH) {
            record(line);
            return true;
        }
        boolean mustWait = line.length() > 0 || log.isCrowded();
        if (!mustWait && log.failure().isEmpty()) {
            return true;
        }
        if (line.length() > 0) {
            metrics.made();
        }
        boolean isRefused = changes || mode == AuditMode.BLOCKING_STRICT;
        AuditLog.Result result = log.append(
                line.array(),
                line.length(),
                new AuditLog.Waiter(
                        heldBytes,
                        written -> later.accept(written || !isRefused ? Optional.empty() : Optional.of(refusal()))));
        if (result == AuditLog.Result.TAKEN) {
            return false;
        }
        if (isRefused) {
            throw new StatusException(refusal());
        }
        return true;
    }

    private Status refusal() {
        metrics.refused();
        return Status.withCause(
                500,
                "InternalError",
                "Internal error occurred: failed to store audit event: the audit log cannot be written ("
                        + log.failure().orElse("too many lines wait")
                        + "), and by auditLogMode nothing that it should record goes on without it (expected it to be"
                        + " written again soon; try again)",
                "AuditLogNotWritten",
                RETRY_AFTER_SECONDS);
    }
}
