package io.fairlead.gateway.limits;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The descriptors that the system allows this process, of which clients' connections get only a part: a store that can open no
 * file takes no writes, and upstreams want connections too.
 */
public final class ClientDescriptors {
    /** What is kept from clients: one part of so many. */
    private static final int PARTS = 4;

    /** The store's files, the JVM's jars, and a connection to each of some clusters. */
    private static final long RESERVED_MIN = 256;

    private ClientDescriptors() {}

    /** How many there may be; as good as no limit where the system does not tell. */
    public static long max() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    /** How many there must be so that so many are for clients' connections. */
    static long expectedFor(int clients) {
        return Math.max(clients + RESERVED_MIN, ((long) clients * PARTS - 1) / (PARTS - 1));
    }

    /** How many of them are for clients' connections; always some. */
    public static int forClients(long max) {
        long reserved = Math.max(RESERVED_MIN, max / PARTS);
        return (int) Math.min(Integer.MAX_VALUE, Math.max(max - reserved, Math.max(1, max / PARTS)));
    }
}
