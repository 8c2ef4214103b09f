package io.fairlead.net;

import io.fairlead.model.Repetitions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What breaks in this client or in a receiver of its callbacks, in the log. Any thread. */
final class CallBreakdowns {
    private static final Logger LOG = LoggerFactory.getLogger(Call.class);
    private static final Repetitions TOLD = new Repetitions();

    private CallBreakdowns() {}

    /** Runs a callback; what it throws is logged. */
    static void guard(String what, Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error e) {
            tell(what, e);
        }
    }

    static void tell(String what, Throwable why) {
        TOLD.next(what)
                .ifPresent(leftOut -> LOG.atError()
                        .setCause(why)
                        .addKeyValue("leftOut", leftOut)
                        .log(what));
    }
}
