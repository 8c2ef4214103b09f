package io.fairlead.gateway.listen;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The unit of limits by client address: an IPv4 address, or the {@code /64} block of an IPv6 address, all of which one
 * host can use (RFC 4291 section 2.5.4).
 *
 * @param bits the address, or the first half of it
 */
public record AddressBlock(boolean isIpv6, long bits) {
    public static AddressBlock of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return address instanceof Inet6Address
                ? new AddressBlock(true, bytes.getLong())
                : new AddressBlock(false, bytes.getInt());
    }
}
