package io.fairlead.gateway.limits;

/**
 * How many connections of clients there may be at a time, and what makes that more.
 *
 * @param configured as many as are wanted
 * @param descriptors the system's limit of this process
 * @param bufferBytes what buffers of connections may take
 */
public record ConnectionRoom(int configured, long descriptors, long bufferBytes) {
    /** What a connection takes before its client has said anything. */
    private static final int CONNECTION_BYTES = 8 * 1024;

    /** That of this process. */
    public static ConnectionRoom of(int configured) {
        return new ConnectionRoom(configured, ClientDescriptors.max(), DirectMemory.bytesMax());
    }

    /** As many as are configured, or as there are descriptors and first buffers for. */
    public int possible() {
        return Math.min(configured, Math.min(ClientDescriptors.forClients(descriptors), forBuffers()));
    }

    /** What an operator may do about what is less than configured; empty if nothing is. */
    public String advice() {
        if (possible() == configured) {
            return "";
        }
        StringBuilder advice = new StringBuilder();
        if (ClientDescriptors.forClients(descriptors) < configured) {
            advice.append("raise the limit of open files (ulimit -n, or LimitNOFILE of a systemd unit) from ")
                    .append(descriptors)
                    .append(" to ")
                    .append(ClientDescriptors.expectedFor(configured));
        }
        if (forBuffers() < configured) {
            advice.append(advice.isEmpty() ? "" : " and ")
                    .append("raise the memory of buffers (-XX:MaxDirectMemorySize) until ")
                    .append((long) configured * CONNECTION_BYTES)
                    .append(" bytes are for connections instead of ")
                    .append(bufferBytes);
        }
        return advice.append(", or lower ")
                .append(Limit.CONNECTIONS.key())
                .append(" from ")
                .append(configured)
                .append(" to ")
                .append(possible())
                .toString();
    }

    private int forBuffers() {
        return (int) Math.min(Integer.MAX_VALUE, bufferBytes / CONNECTION_BYTES);
    }
}
