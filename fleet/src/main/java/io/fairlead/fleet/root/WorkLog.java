package io.fairlead.fleet.root;

import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs failures of background work that runs as long as the process. Any thread. */
public final class WorkLog implements Supervised.Witness {
    private static final Logger LOG = LoggerFactory.getLogger(WorkLog.class);

    private final Repetitions failures = Repetitions.ofChanges();

    @Override
    public void failed(String name, Throwable failure) {
        failures.next(name)
                .ifPresent(leftOut -> LOG.atError()
                        .addKeyValue("work", name)
                        .setCause(failure)
                        .addKeyValue("leftOut", leftOut)
                        .log("Work ended by a failure and begins again"));
    }
}
