package io.fairlead.gateway;

import io.fairlead.gateway.edge.EdgeServer;
import io.fairlead.gateway.listen.TlsMaterial;
import io.fairlead.gateway.own.WorkLog;
import io.fairlead.model.Recurring;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the front end use new serving certificates and client CAs: files of the operator may have been replaced, and the
 * self-made certificate may near its end.
 *
 * <p>Threads: the scheduler's.
 */
final class CertificateRenewal {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateRenewal.class);
    private static final int CHECK_MINUTES = 1;

    private final EdgeServer server;
    private final ServingIdentity identity;
    private TlsMaterial inUse;

    CertificateRenewal(EdgeServer server, ServingIdentity identity, TlsMaterial inUse) {
        this.server = server;
        this.identity = identity;
        this.inUse = inUse;
    }

    /** Looks regularly from now on, until the scheduler ends. */
    void startOn(ScheduledExecutorService scheduler) {
        scheduler.scheduleWithFixedDelay(
                new Recurring("certificate-renewal", this::renew, new WorkLog()),
                CHECK_MINUTES,
                CHECK_MINUTES,
                TimeUnit.MINUTES);
    }

    private void renew() {
        try {
            TlsMaterial now = identity.current();
            if (!now.equals(inUse)) {
                server.reload(now);
                inUse = now;
                LOG.info("Serving certificate reloaded");
            }
        } catch (StartFailure | IllegalArgumentException unusable) {
            LOG.atWarn()
                    .addKeyValue("problem", unusable.getMessage())
                    .log("Reloading the serving certificate failed; the one in use stays");
        }
    }
}
