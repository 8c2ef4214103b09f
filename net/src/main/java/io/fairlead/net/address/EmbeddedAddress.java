package io.fairlead.net.address;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The IPv4 address that an IPv6 address carries for a translator or a tunnel: NAT64 with the well-known prefix (RFC
 * 6052 section 2.1) and with that for local use in its /96 form (RFC 8215), 6to4 (RFC 3056 section 2) and
 * IPv4-compatible ones (RFC 4291 section 2.5.5.1). The JDK itself converts IPv4-mapped addresses to IPv4.
 */
final class EmbeddedAddress {
    private static final Cidr NAT64 = Cidr.parse("64:ff9b::/96");
    private static final Cidr NAT64_LOCAL = Cidr.parse("64:ff9b:1::/48");
    private static final Cidr SIX_TO_FOUR = Cidr.parse("2002::/16");
    private static final Cidr COMPATIBLE = Cidr.parse("::/96");
    private static final int AFTER_SIX_TO_FOUR = 2;
    private static final int AT_THE_END = 12;

    private EmbeddedAddress() {}

    static Optional<InetAddress> of(InetAddress address) {
        if (!(address instanceof Inet6Address) || address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return Optional.empty();
        }
        if (SIX_TO_FOUR.contains(address)) {
            return Optional.of(ipv4(address, AFTER_SIX_TO_FOUR));
        }
        boolean atTheEnd = NAT64.contains(address) || NAT64_LOCAL.contains(address) || COMPATIBLE.contains(address);
        return atTheEnd ? Optional.of(ipv4(address, AT_THE_END)) : Optional.empty();
    }

    private static InetAddress ipv4(InetAddress address, int from) {
        try {
            return Inet4Address.getByAddress(Arrays.copyOfRange(address.getAddress(), from, from + 4));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
