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

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private IdleMachine() {}

    /** Waits some seconds at most for a moment in which the processors are idle; false if there is none. */
    static boolean await() {
        double _ = SYSTEM.getCpuLoad(); // the load is that since the last look
        for (int look = 0; look < LOOKS_MAX; look++) {
            LockSupport.parkNanos(LOOK.toNanos());
            double load = SYSTEM.getCpuLoad();
            if (load >= 0 && load < IDLE_BELOW) {
                return true;
            }
        }
        return false;
    }

    /** Whether the processors did next to nothing but one process's work since {@link #await} answered. */
    static boolean wasButFor(ProcessHandle process, Duration since) {
        double load = SYSTEM.getCpuLoad();
        Duration own = process.info().totalCpuDuration().orElse(Duration.ZERO);
        double ownLoad = (double) own.toNanos() / since.toNanos() / SYSTEM.getAvailableProcessors();
        return load >= 0 && load - ownLoad < IDLE_BELOW;
    }
}
