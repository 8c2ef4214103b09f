package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.Opaque;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.text.IpText;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;

/** An IP address (Go {@code netip.Addr}); no zone, no IPv4 inside IPv6. */
final class Address implements Opaque {
    private static final byte[] MAPPED = HexFormat.of().parseHex("00000000000000000000ffff");

    private final byte[] bytes;

    Address(byte[] bytes) {
        this.bytes = bytes;
    }

    /** An address, or a reason in Go's words why a text is none. */
    sealed interface Reading {
        /** See {@link Reading}. */
        record Found(Address address) implements Reading {}

        /** See {@link Reading}. */
        record Refused(String reason) implements Reading {}
    }

    static Reading parse(String text) {
        String quoted = Values.quoted(text);
        String failed =
                "IP Address " + quoted + " parse error during conversion from string: ParseAddr(" + quoted + "): ";
        if (!text.contains(".") && !text.contains(":")) {
            return new Reading.Refused(failed + "unable to parse IP");
        }
        int zone = text.indexOf('%');
        String plain = zone < 0 ? text : text.substring(0, zone);
        if (!IpText.isAddress(plain, false)) {
            boolean tooShort = plain.matches("[0-9]+(\\.[0-9]+){0,2}");
            return new Reading.Refused(
                    failed + (tooShort ? "IPv4 address too short" : "unexpected character, want IP address"));
        }
        if (zone >= 0) {
            return new Reading.Refused("IP address " + quoted + " with zone value is not allowed");
        }
        byte[] bytes = bytes(plain);
        boolean mapped = plain.contains(":") && (bytes.length == 4 || startsMapped(bytes));
        return mapped
                ? new Reading.Refused("IPv4-mapped IPv6 address " + quoted + " is not allowed")
                : new Reading.Found(new Address(bytes));
    }

    private static boolean startsMapped(byte[] bytes) {
        return Arrays.equals(bytes, 0, MAPPED.length, MAPPED, 0, MAPPED.length);
    }

    private static byte[] bytes(String literal) {
        try {
            return InetAddress.ofLiteral(literal).getAddress();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not an address: " + literal, e);
        }
    }

    byte[] bytes() {
        return bytes;
    }

    boolean isIpv4() {
        return bytes.length == 4;
    }

    InetAddress java() {
        try {
            return isIpv4() ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, -1);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }

    boolean isLinkLocalMulticast() {
        return isIpv4()
                ? unsigned(0) == 224 && bytes[1] == 0 && bytes[2] == 0
                : unsigned(0) == 0xff && (bytes[1] & 0x0f) == 2;
    }

    boolean isGlobalUnicast() {
        InetAddress java = java();
        boolean broadcast = isIpv4() && Arrays.equals(bytes, new byte[] {-1, -1, -1, -1});
        boolean special = java.isAnyLocalAddress() || java.isLoopbackAddress() || java.isMulticastAddress();
        return !broadcast && !special && !isLinkLocalUnicast();
    }

    boolean isLinkLocalUnicast() {
        return isIpv4() ? unsigned(0) == 169 && unsigned(1) == 254 : unsigned(0) == 0xfe && (bytes[1] & 0xc0) == 0x80;
    }

    private int unsigned(int index) {
        return Byte.toUnsignedInt(bytes[index]);
    }

    /** The canonical text (RFC 5952). */
    @Override
    public String toString() {
        return isIpv4() ? java().getHostAddress() : compressed();
    }

    private String compressed() {
        int[] groups = new int[8];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = unsigned(2 * i) << 8 | unsigned(2 * i + 1);
        }
        int gap = -1;
        int gapLength = 1;
        for (int i = 0; i < groups.length; i++) {
            int end = i;
            while (end < groups.length && groups[end] == 0) {
                end++;
            }
            if (end - i > gapLength) {
                gap = i;
                gapLength = end - i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < groups.length; i++) {
            if (i == gap) {
                text.append("::");
                i += gapLength - 1;
            } else {
                boolean first = text.isEmpty() || text.charAt(text.length() - 1) == ':';
                text.append(first ? "" : ":").append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }

    @Override
    public String typeName() {
        return "net.IP";
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Address address && Arrays.equals(bytes, address.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
