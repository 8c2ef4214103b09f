package io.fairlead.packages.registry;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** The time that is left for one image, and the thread that watches it. */
final class RegistryClock implements AutoCloseable {
    private final RegistryTimes times;
    private final long began = System.nanoTime();
    private final ScheduledThreadPoolExecutor timer;

    RegistryClock(RegistryTimes times) {
        this.times = times;
        this.timer = new ScheduledThreadPoolExecutor(
                1, task -> Thread.ofPlatform().daemon().name("registry-clock").unstarted(task));
        timer.setRemoveOnCancelPolicy(true);
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    /** How long the next answer may take to begin. */
    Duration answerTimeout(String server) throws RegistryException {
        return least(times.answerTimeout(), server);
    }

    /** How long the next bytes of an answer may take. */
    Duration stallTimeout(String server) throws RegistryException {
        return least(times.stallTimeout(), server);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private Duration least(Duration limit, String server) throws RegistryException {
        Duration left = times.totalTimeout().minusNanos(System.nanoTime() - began);
        if (left.isNegative() || left.isZero()) {
            throw new RegistryException(
                    server + " took longer than " + times.totalTimeout().toSeconds() + " s for one image");
        }
        return limit.compareTo(left) < 0 ? limit : left;
    }
}
