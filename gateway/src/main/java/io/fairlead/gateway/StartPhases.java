package io.fairlead.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The phases of a start, each told at debug level when it is over, with the time since the process began. */
public final class StartPhases {
    private static final Logger LOG = LoggerFactory.getLogger(StartPhases.class);
    private static final Path OWN_STATISTICS = Path.of("/proc/self/stat");
    private static final Path UPTIME = Path.of("/proc/uptime");

    /** Field 22 of proc(5) stat, counted from the one behind the name. */
    private static final int START_TICKS = 19;

    private static final long MILLIS_PER_TICK = 10;
    private static final int MILLIS_PER_SECOND = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Supplier<Duration> age;

    /** Those of this process. */
    public StartPhases() {
        this(StartPhases::ageOfProcess);
    }

    /**
     * Those of a process.
     *
     * @param age since it began; asked for only if it is told
     */
    StartPhases(Supplier<Duration> age) {
        this.age = age;
    }

    /** A phase is over now. */
    public void done(String phase) {
        done(phase, System.nanoTime());
    }

    /**
     * A phase was over then, before there was a log.
     *
     * @param nanoTime as of {@link System#nanoTime}
     */
    public void done(String phase, long nanoTime) {
        if (LOG.isDebugEnabled()) {
            long sinceMillis = (System.nanoTime() - nanoTime) / NANOS_PER_MILLI;
            LOG.atDebug()
                    .addKeyValue("phase", phase)
                    .addKeyValue("millis", age.get().toMillis() - sinceMillis)
                    .log("Start: a phase is over");
        }
    }

    /**
     * By the ticks of the kernel, which the launcher's shell began to count. The JDK adds them to a boot time of whole
     * seconds; that serves elsewhere.
     */
    private static Duration ageOfProcess() {
        try {
            String statistics = Files.readString(OWN_STATISTICS);
            String[] fields =
                    statistics.substring(statistics.lastIndexOf(')') + 2).split(" ", -1);
            double upMillis = Double.parseDouble(Files.readString(UPTIME).split(" ", 2)[0]) * MILLIS_PER_SECOND;
            return Duration.ofMillis(Math.round(upMillis) - Long.parseLong(fields[START_TICKS]) * MILLIS_PER_TICK);
        } catch (IOException notLinux) {
            Instant now = Instant.now();
            return Duration.between(
                    ProcessHandle.current().info().startInstant().orElse(now), now);
        }
    }
}
