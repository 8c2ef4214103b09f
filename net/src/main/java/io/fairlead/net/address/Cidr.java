package io.fairlead.net.address;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A range of addresses in CIDR notation (RFC 4632, RFC 4291 section 2.3): {@code 10.0.0.0/8}, {@code fd00::/8}. */
public final class Cidr {
    /** Of IPv4-mapped addresses (RFC 4291 section 2.5.5.2), which the JDK takes for IPv4. */
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private final byte[] network;
    private final int prefixBits;

    private Cidr(byte[] network, int prefixBits) {
        this.network = network;
        this.prefixBits = prefixBits;
    }

    /**
     * Reads a range; an address without a length is a range of one, and a range of IPv4-mapped addresses counts as
     * IPv4.
     *
     * @throws IllegalArgumentException if it is invalid, naming the text
     */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        byte @Nullable [] network =
                NetUtil.createByteArrayFromIpAddressString(slash < 0 ? text : text.substring(0, slash));
        if (network == null) {
            throw malformed(text);
        }
        int bits = slash < 0 ? network.length * 8 : prefixBits(text, slash);
        if (bits < 0 || bits > network.length * 8) {
            throw malformed(text);
        }
        boolean mapped =
                network.length == MAPPED.length + 4 && startsWith(network, MAPPED) && bits >= MAPPED.length * 8;
        return mapped
                ? new Cidr(Arrays.copyOfRange(network, MAPPED.length, network.length), bits - MAPPED.length * 8)
                : new Cidr(network, bits);
    }

    /** Whether it has loopback addresses, and no others. */
    boolean isLoopback() {
        boolean isVersion4 = network.length == 4;
        return isVersion4 ? network[0] == 127 && prefixBits >= 8 : prefixBits == 128 && isOne(network);
    }

    private static boolean isOne(byte[] network) {
        for (int i = 0; i < network.length - 1; i++) {
            if (network[i] != 0) {
                return false;
            }
        }
        return network[network.length - 1] == 1;
    }

    /** Whether the address lies in the range; an IPv4-mapped IPv6 address counts as IPv4. */
    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != network.length) {
            return false;
        }
        int whole = prefixBits / 8;
        if (!Arrays.equals(bytes, 0, whole, network, 0, whole)) {
            return false;
        }
        int rest = prefixBits % 8;
        int mask = 0xff << (8 - rest);
        return rest == 0 || (bytes[whole] & mask) == (network[whole] & mask);
    }

    @Override
    public String toString() {
        try {
            return InetAddress.getByAddress(network).getHostAddress() + "/" + prefixBits;
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        return Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }

    private static int prefixBits(String text, int slash) {
        try {
            return Integer.parseInt(text, slash + 1, text.length(), 10);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "address range: \"" + text + "\" (expected CIDR notation, such as 10.0.0.0/8)");
    }
}
