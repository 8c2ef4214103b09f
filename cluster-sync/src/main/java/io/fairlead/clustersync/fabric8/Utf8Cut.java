package io.fairlead.clustersync.fabric8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Splits a stream of UTF-8 only between characters: fabric8 decodes each buffer of a watch separately, so that a
 * character across two buffers would be lost.
 */
final class Utf8Cut {
    private byte[] carried = {};

    void add(byte[] piece, List<ByteBuffer> out) {
        byte[] whole = join(carried, piece);
        int end = whole.length - unfinished(whole);
        carried = Arrays.copyOfRange(whole, end, whole.length);
        if (end > 0) {
            out.add(ByteBuffer.wrap(whole, 0, end).slice());
        }
    }

    /** The stream has ended: an incomplete character is passed on as it is. */
    void end(List<ByteBuffer> out) {
        if (carried.length > 0) {
            out.add(ByteBuffer.wrap(carried));
            carried = new byte[0];
        }
    }

    private static byte[] join(byte[] first, byte[] second) {
        if (first.length == 0) {
            return second;
        }
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    /** The length of an incomplete character at the end. */
    private static int unfinished(byte[] bytes) {
        for (int back = 1; back <= Math.min(3, bytes.length); back++) {
            int lead = bytes[bytes.length - back] & 0xff;
            if (lead < 0x80) {
                return 0;
            }
            if (lead >= 0xc0) {
                int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
                return back < length ? back : 0;
            }
        }
        return 0;
    }
}
