package io.fairlead.ittests;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The machine while it does next to nothing: what is measured at other times says little about the product. */
final class IdleMachine {
    private static final double IDLE_BELOW = 0.25;
    private static final Duration LOOK = Duration.ofMillis(300);
    private static final int LOOKS_MAX = 15;

    private IdleMachine() {}

    /** Waits some seconds at most for a moment in which the processors are idle; false if there is none. */
    static boolean await() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        double _ = system.getCpuLoad(); // the load is that since the last look
        for (int look = 0; look < LOOKS_MAX; look++) {
            LockSupport.parkNanos(LOOK.toNanos());
            double load = system.getCpuLoad();
            if (load >= 0 && load < IDLE_BELOW) {
                return true;
            }
        }
        return false;
    }
}
