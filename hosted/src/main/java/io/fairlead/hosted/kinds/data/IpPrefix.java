package io.fairlead.hosted.kinds.data;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A range of IP addresses ({@code 10.0.0.0/8}).
 *
 * @param address its first address
 * @param bits how many bits all its addresses share
 */
record IpPrefix(InetAddress address, int bits) {
    private static final int BITS_DIGITS_MAX = 3;

    /** What a text says; empty if it is no range. No name is looked up. */
    static Optional<IpPrefix> of(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 0) {
            return Optional.empty();
        }
        String bits = text.substring(slash + 1);
        boolean isNumber = !bits.isEmpty()
                && bits.length() <= BITS_DIGITS_MAX
                && bits.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber
                ? TextForm.address(text.substring(0, slash))
                        .map(address -> new IpPrefix(address, Integer.parseInt(bits)))
                        .filter(prefix -> prefix.bits <= prefix.address.getAddress().length * Byte.SIZE)
                : Optional.empty();
    }

    /** What is wrong with a text that should be a range (apimachinery {@code IsValidCIDRForLegacyField}). */
    static List<String> problems(String text) {
        Optional<IpPrefix> prefix = of(text);
        if (prefix.isEmpty()) {
            return List.of("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
        }
        byte[] address = prefix.get().address.getAddress();
        return Arrays.equals(address, masked(address, prefix.get().bits))
                ? List.of()
                : List.of("must not have bits set beyond the prefix length");
    }

    boolean isIpv6() {
        return address.getAddress().length > 4;
    }

    /** Whether another range is part of this one, but not the same. */
    boolean holdsPart(IpPrefix other) {
        return isIpv6() == other.isIpv6()
                && other.bits > bits
                && Arrays.equals(masked(other.address.getAddress(), bits), masked(address.getAddress(), bits));
    }

    private static byte[] masked(byte[] address, int bits) {
        byte[] masked = address.clone();
        for (int i = bits; i < masked.length * Byte.SIZE; i++) {
            masked[i / Byte.SIZE] &= (byte) ~(0x80 >> (i % Byte.SIZE));
        }
        return masked;
    }
}
