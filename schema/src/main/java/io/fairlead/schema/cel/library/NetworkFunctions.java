package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import java.util.function.Predicate;

/** IP addresses and networks (apiserver {@code cel/library/ip.go} and {@code cidr.go}, since 1.30). */
final class NetworkFunctions {
    private NetworkFunctions() {}

    static void addTo(Registry registry) {
        Class<NetworkRange> range = NetworkRange.class;
        registry.unary("ip", String.class, NetworkFunctions::address)
                .unary("isIP", String.class, (text, work) -> address(text, work) instanceof Address)
                .unary(
                        "ip.isCanonical",
                        String.class,
                        (text, work) -> address(text, work) instanceof Address found
                                ? (Object) found.toString().equals(text)
                                : address(text, work))
                .unary("family", Address.class, (ip, _) -> ip.isIpv4() ? 4L : 6L)
                .unary("string", Address.class, (ip, _) -> ip.toString())
                .unary("cidr", String.class, NetworkFunctions::range)
                .unary("isCIDR", String.class, (text, work) -> range(text, work) instanceof NetworkRange)
                .unary("ip", range, (cidr, _) -> cidr.ip())
                .unary("masked", range, (cidr, _) -> cidr.masked())
                .unary("prefixLength", range, (cidr, _) -> (long) cidr.bits())
                .unary("string", range, (cidr, _) -> cidr.toString())
                .binary("containsIP", range, Address.class, (cidr, ip, _) -> cidr.contains(ip))
                .binary(
                        "containsIP",
                        range,
                        String.class,
                        (cidr, text, work) -> address(text, work) instanceof Address ip
                                ? (Object) cidr.contains(ip)
                                : CelError.NO_SUCH_OVERLOAD)
                .binary("containsCIDR", range, range, (cidr, other, _) -> cidr.contains(other))
                .binary(
                        "containsCIDR",
                        range,
                        String.class,
                        (cidr, text, work) -> range(text, work) instanceof NetworkRange other
                                ? (Object) cidr.contains(other)
                                : CelError.NO_SUCH_OVERLOAD);
        property(registry, "isUnspecified", ip -> ip.java().isAnyLocalAddress());
        property(registry, "isLoopback", ip -> ip.java().isLoopbackAddress());
        property(registry, "isLinkLocalMulticast", Address::isLinkLocalMulticast);
        property(registry, "isLinkLocalUnicast", Address::isLinkLocalUnicast);
        property(registry, "isGlobalUnicast", Address::isGlobalUnicast);
    }

    private static void property(Registry registry, String name, Predicate<Address> property) {
        registry.unary(name, Address.class, (ip, _) -> property.test(ip));
    }

    private static Object address(String text, Work work) {
        work.read(text.length());
        return switch (Address.parse(text)) {
            case Address.Reading.Found(Address address) -> address;
            case Address.Reading.Refused(String reason) -> new CelError(reason);
        };
    }

    private static Object range(String text, Work work) {
        work.read(text.length());
        int slash = text.lastIndexOf('/');
        String bits = text.substring(slash + 1);
        if (slash < 0 || !bits.matches("0|[1-9][0-9]{0,2}")) {
            return refused(text, slash < 0 ? "no '/'" : "bad bits after slash: " + Values.quoted(bits));
        }
        return switch (Address.parse(text.substring(0, slash))) {
            case Address.Reading.Found(Address address)
            when Integer.parseInt(bits) <= 8 * address.bytes().length ->
                new NetworkRange(address, Integer.parseInt(bits));
            case Address.Reading.Found _ -> refused(text, "prefix length out of range");
            case Address.Reading.Refused(String reason)
            when reason.startsWith("IPv4-mapped") ->
                new CelError("network address parse error during conversion from string: IPv4-mapped IPv6 address "
                        + Values.quoted(text) + " is not allowed");
            case Address.Reading.Refused(String reason) ->
                refused(text, reason.replaceFirst("^.*ParseAddr", "ParseAddr"));
        };
    }

    private static CelError refused(String text, String reason) {
        return new CelError("network address parse error during conversion from string: network address parse error"
                + " during conversion from string: netip.ParsePrefix(" + Values.quoted(text) + "): " + reason);
    }
}
