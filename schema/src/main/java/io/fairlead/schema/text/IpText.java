package io.fairlead.schema.text;

/** IP addresses and prefixes as Go's {@code net.ParseIP} and {@code net.ParseCIDR} read them; zeros may lead in IPv4. */
public final class IpText {
    private IpText() {}

    /**
     * Whether a text is an address.
     *
     * @param leadingZeros whether a decimal part may begin with zeros (Go before 1.17)
     */
    public static boolean isAddress(String text, boolean leadingZeros) {
        return text.contains(":") ? isIpv6(text, leadingZeros) : isIpv4(text, leadingZeros);
    }

    static boolean isCidr(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("[0-9]{1,3}")) {
            return false;
        }
        String address = text.substring(0, slash);
        int bitsMax = address.contains(":") ? 128 : 32;
        return isAddress(address, true) && Integer.parseInt(text.substring(slash + 1)) <= bitsMax;
    }

    private static boolean isIpv4(String text, boolean leadingZeros) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return false;
        }
        for (String part : parts) {
            boolean digits = part.matches(leadingZeros ? "0*[0-9]{1,3}" : "0|[1-9][0-9]{0,2}");
            if (!digits || Long.parseLong(part.replaceFirst("^0+(?=.)", "")) > 255) {
                return false;
            }
        }
        return true;
    }

    private static boolean isIpv6(String text, boolean leadingZeros) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            return groups(text, leadingZeros) == 8;
        }
        String before = text.substring(0, gap);
        String after = text.substring(gap + 2);
        if (after.contains("::") || after.startsWith(":") || before.contains(".")) {
            return false;
        }
        int left = before.isEmpty() ? 0 : groups(before, leadingZeros);
        int right = after.isEmpty() ? 0 : groups(after, leadingZeros);
        return left >= 0 && right >= 0 && left + right < 8;
    }

    /** How many groups of 16 bits, -1 if malformed; an IPv4 address at the end is two. */
    private static int groups(String text, boolean leadingZeros) {
        String[] parts = text.split(":", -1);
        int groups = 0;
        for (int i = 0; i < parts.length; i++) {
            boolean last = i == parts.length - 1;
            if (parts[i].matches("[0-9a-fA-F]{1,4}")) {
                groups++;
            } else if (last && parts[i].contains(".") && isIpv4(parts[i], leadingZeros)) {
                groups += 2;
            } else {
                return -1;
            }
        }
        return groups;
    }
}
