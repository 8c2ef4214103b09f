package io.fairlead.gateway.limits;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The process's file descriptors, of which clients' connections get only a part: a store that cannot open files refuses
 * writes, and upstreams need connections too.
 */
public final class ClientDescriptors {
    /** The divisor of the part kept from clients. */
    private static final int PARTS = 4;

    /** The store's files, the JVM's jars, and a connection to each of some clusters. */
    private static final long RESERVED_MIN = 256;

    private ClientDescriptors() {}

    /** The limit; practically unlimited if the system does not report one. */
    public static long max() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    /** The limit needed for this many client connections. */
    static long expectedFor(int clients) {
        return Math.max(clients + RESERVED_MIN, ((long) clients * PARTS - 1) / (PARTS - 1));
    }

    /** How many of them are for client connections; at least one. */
    public static int forClients(long max) {
        long reserved = Math.max(RESERVED_MIN, max / PARTS);
        return (int) Math.min(Integer.MAX_VALUE, Math.max(max - reserved, Math.max(1, max / PARTS)));
    }
}
