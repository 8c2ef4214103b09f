package io.fairlead.http;

import io.netty.util.concurrent.FastThreadLocal;

/** A thread's array in which a head is put together before it is written to a buffer at once. */
public final class Scratch {
    private static final int KEPT_BYTES = 8 * 1024;

    private static final FastThreadLocal<byte[]> KEPT = new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
            return new byte[KEPT_BYTES];
        }
    };

    private Scratch() {}

    /** Its content is anything. It is used before this is called again. */
    public static byte[] ofAtLeast(int bytes) {
        return bytes <= KEPT_BYTES ? KEPT.get() : new byte[bytes];
    }
}
