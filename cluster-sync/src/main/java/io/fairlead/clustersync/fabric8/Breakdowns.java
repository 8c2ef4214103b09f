package io.fairlead.clustersync.fabric8;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.model.Repetitions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Errors of this process that kept lists from starting; no server is to blame. Any thread. */
final class Breakdowns {
    private static final Logger LOG = LoggerFactory.getLogger(Breakdowns.class);

    private final String path;
    private final Repetitions told = new Repetitions();

    /** @param path of the lists */
    Breakdowns(String path) {
        this.path = path;
    }

    /** A new one, as the failure of a list; only the log has its origin. */
    ListFailure of(Throwable why) {
        told.next(why.getClass())
                .ifPresent(leftOut -> LOG.atError()
                        .setCause(why)
                        .addKeyValue("path", path)
                        .addKeyValue("leftOut", leftOut)
                        .log("A list could not be begun; trying again"));
        return new ListFailure(
                Finding.no("ListFailed", "the list of " + path + " could not be started; the log says why"), false);
    }
}
