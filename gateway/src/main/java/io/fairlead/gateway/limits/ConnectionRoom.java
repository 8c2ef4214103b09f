package io.fairlead.gateway.limits;

/**
 * The most concurrent client connections, and how to raise it.
 *
 * @param configured the configured number
 * @param descriptors the system's limit of this process
 * @param bufferBytes the memory for connections' buffers
 */
public record ConnectionRoom(int configured, long descriptors, long bufferBytes) {
    /** The memory of a connection before its client has sent anything. */
    private static final int CONNECTION_BYTES = 8 * 1024;

    /** The values of this process. */
    public static ConnectionRoom of(int configured) {
        return new ConnectionRoom(configured, ClientDescriptors.max(), DirectMemory.bytesMax());
    }

    /** The configured number, or less if descriptors or first buffers do not suffice. */
    public int possible() {
        return Math.min(configured, Math.min(ClientDescriptors.forClients(descriptors), forBuffers()));
    }

    /** What an operator can do if it is less than configured; empty if it is not. */
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
