package io.fairlead.gateway.limits;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;

/**
 * The memory outside the heap that buffers of connections may take.
 *
 * <p>At the JVM's own limit every allocation sleeps and collects garbage for half a second before it fails, on event
 * loops too. At Netty's limit it fails at once, and only the connection that needed the buffer ends.
 */
public final class DirectMemory {
    private static final String NETTYS_LIMIT = "io.netty.maxDirectMemory";

    /** The divisor of the part left to other users of direct memory. */
    private static final int PARTS = 8;

    private DirectMemory() {}

    /**
     * Sets Netty's limit below the JVM's, unless the operator has set it. Call before the first class of Netty is
     * loaded.
     */
    public static void limit() {
        if (System.getProperty(NETTYS_LIMIT) == null) {
            long bytesOfJvm = bytesOfJvm();
            System.setProperty(NETTYS_LIMIT, Long.toString(bytesOfJvm - bytesOfJvm / PARTS));
        }
    }

    /** The memory for Netty's buffers. */
    public static long bytesMax() {
        return PlatformDependent.maxDirectMemory();
    }

    /** {@code -XX:MaxDirectMemorySize}, by default as much as the heap. */
    private static long bytesOfJvm() {
        HotSpotDiagnosticMXBean options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long given = options == null
                ? 0
                : Long.parseLong(options.getVMOption("MaxDirectMemorySize").getValue());
        return given > 0 ? given : Runtime.getRuntime().maxMemory();
    }
}
