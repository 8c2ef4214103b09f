package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.Opaque;

/**
 * An IP address and how many of its bits are its network's (Go {@code netip.Prefix}).
 *
 * @param bits of the prefix
 */
record NetworkRange(Address ip, int bits) implements Opaque {
    private static final int BITS_MAX = 128;

    NetworkRange masked() {
        byte[] masked = ip.bytes().clone();
        for (int i = 0; i < masked.length; i++) {
            int kept = Math.clamp(bits - 8L * i, 0, 8);
            masked[i] &= (byte) (0xff << (8 - kept));
        }
        return new NetworkRange(new Address(masked), bits);
    }

    boolean contains(Address other) {
        return other.isIpv4() == ip.isIpv4()
                && new NetworkRange(other, bits).masked().equals(masked());
    }

    boolean contains(NetworkRange other) {
        return bits <= other.bits && contains(other.ip);
    }

    /** As apiserver counts it: the bytes of the prefix. */
    @Override
    public long size() {
        return (Math.min(bits, BITS_MAX) + 7L) / 8;
    }

    @Override
    public String typeName() {
        return "net.CIDR";
    }

    @Override
    public String toString() {
        return ip + "/" + bits;
    }
}
