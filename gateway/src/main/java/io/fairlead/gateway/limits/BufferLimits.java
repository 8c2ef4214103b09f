package io.fairlead.gateway.limits;

import io.fairlead.config.ByteSize;
import io.fairlead.config.LimitSettings;

/**
 * The heap for requests in progress, as configured or by the size of the heap; beyond it 429.
 *
 * @param bytesMax in the process
 * @param perClusterBytesMax bodies of one cluster
 * @param perCallerBytesMax bodies of one caller
 */
public record BufferLimits(long bytesMax, long perClusterBytesMax, long perCallerBytesMax) {
    /**
     * By default a quarter of the heap. A quarter of all is for the bodies of one caller, enough for two of the maximum
     * object size, and half as much again for those of one cluster, which leaves room for its other callers.
     */
    public static BufferLimits of(LimitSettings limits) {
        long bytesMax =
                ByteSize.bytes(limits.bufferedBytesMax(), Runtime.getRuntime().maxMemory() / 4);
        return new BufferLimits(
                bytesMax,
                ByteSize.bytes(limits.bufferedBytesPerClusterMax(), bytesMax / 8 * 3),
                ByteSize.bytes(limits.bufferedBytesPerCallerMax(), bytesMax / 4));
    }
}
