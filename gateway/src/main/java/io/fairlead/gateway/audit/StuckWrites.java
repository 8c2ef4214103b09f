package io.fairlead.gateway.audit;

import io.fairlead.model.Supervised;
import java.time.Duration;

/**
 * Releases the requests that wait for a write that takes too long. On a thread of its own: where a file system hangs, whatever else
 * reads files may hang too.
 */
public final class StuckWrites implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final AuditLog log;
    private final Duration period;
    private final Supervised work;

    /**
     * Looks at a log every second, once it is started.
     *
     * @param witness is told of an Error that interrupts it
     */
    public StuckWrites(AuditLog log, Supervised.Witness witness) {
        this(log, PERIOD, witness);
    }

    StuckWrites(AuditLog log, Duration period, Supervised.Witness witness) {
        this.log = log;
        this.period = period;
        this.work = new Supervised("audit-log-watch", Thread.ofPlatform().daemon(), this::watch, witness);
    }

    public void start() {
        work.start();
    }

    /** The thread that looks. */
    public Supervised work() {
        return work;
    }

    @Override
    public void close() {
        work.close();
    }

    private void watch() throws InterruptedException {
        while (!work.isClosed()) {
            work.pause(period);
            log.look();
        }
    }
}
