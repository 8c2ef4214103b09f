package io.fairlead.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.IntPredicate;

/** The permitted bytes in the parts of a request's head (RFC 9110 section 5.6.2, RFC 9112 section 3, RFC 3986). */
public final class FieldRules {
    private static final int PORT_MAX = 0xffff;
    private static final boolean[] TOKEN = tokenCharacters();

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long ONES = 0x0101010101010101L;
    private static final long SPACES = 0x2020202020202020L;
    private static final long DELS = 0x7f7f7f7f7f7f7f7fL;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private FieldRules() {}

    public static boolean isTokenCharacter(int c) {
        return c >= 0 && c < 128 && TOKEN[c];
    }

    public static boolean isToken(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isTokenCharacter(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /**
     * Refuses what would end a part of a request's first line early.
     *
     * @throws IllegalArgumentException if it is not visible ASCII
     */
    public static void requireVisible(String part) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c <= ' ' || c >= 0x7f) {
                throw new IllegalArgumentException("request line: expected visible ASCII");
            }
        }
    }

    /** Visible characters, spaces, tabs and obs-text; no other control byte. */
    public static boolean isFieldValueCharacter(int c) {
        return c == '\t' || (c >= ' ' && c != 0x7f);
    }

    /** The index of the first byte from there on that no value may have; {@code end} if there is none. */
    public static int endOfValue(byte[] bytes, int start, int end) {
        int at = start;
        while (at < end) {
            while (at + Long.BYTES <= end && areVisible((long) EIGHT.get(bytes, at))) {
                at += Long.BYTES;
            }
            // A tab, or one of the last few bytes.
            for (int last = Math.min(at + Long.BYTES, end); at < last; at++) {
                if (!isFieldValueCharacter(bytes[at] & 0xff)) {
                    return at;
                }
            }
        }
        return at;
    }

    /** Whether none of eight bytes is a control byte, tabs included: below a space, or DEL. */
    private static boolean areVisible(long eight) {
        long belowSpace = (eight - SPACES) & ~eight & HIGH_BITS;
        long notDel = eight ^ DELS;
        long del = (notDel - ONES) & ~notDel & HIGH_BITS;
        return (belowSpace | del) == 0;
    }

    /** Refuses a target that is not in origin form or that is ambiguous. */
    public static void requireTarget(String target) throws Malformed {
        if (target.isEmpty() || target.charAt(0) != '/') {
            throw Malformed.of(Rule.TARGET, "request target: expected a path that begins with '/'");
        }
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#' || c == '\\') {
                throw Malformed.of(
                        Rule.TARGET,
                        "request target: byte " + hex(c)
                                + " (expected visible ASCII without '#' and '\\', anything else percent-encoded)");
            }
            if (c == '%' && !isEscape(target, i)) {
                throw Malformed.of(Rule.TARGET, "request target: expected two hexadecimal digits after each '%'");
            }
        }
    }

    /** Refuses a value that is not {@code uri-host [":" port]} (RFC 9110 section 7.2). */
    public static void requireHost(String host) throws Malformed {
        int portColon = host.endsWith("]") ? -1 : host.lastIndexOf(':');
        String name = portColon < 0 ? host : host.substring(0, portColon);
        if (!isHostName(name) || (portColon >= 0 && !isPort(host.substring(portColon + 1)))) {
            throw Malformed.of(Rule.HOST, "Host header: expected one host name or address, with a port or without");
        }
    }

    private static boolean isHostName(String name) {
        if (name.startsWith("[") && name.endsWith("]")) {
            return name.length() > 2 && areAll(name, 1, name.length() - 1, FieldRules::isIpv6Character);
        }
        return !name.isEmpty()
                && name.length() <= 255
                && name.charAt(0) != '.'
                && !name.contains("..")
                && areAll(name, 0, name.length(), FieldRules::isNameCharacter);
    }

    private static boolean isNameCharacter(int c) {
        return isAlphanumeric(c) || c == '-' || c == '.' || c == '_';
    }

    private static boolean isIpv6Character(int c) {
        return Character.digit(c, 16) >= 0 || c == ':' || c == '.';
    }

    private static boolean isPort(String port) {
        return !port.isEmpty() && port.length() <= 5 && isDigits(port) && Integer.parseInt(port) <= PORT_MAX;
    }

    /** Whether there is nothing but decimal digits. */
    public static boolean isDigits(String text) {
        return areAll(text, 0, text.length(), c -> c >= '0' && c <= '9');
    }

    private static boolean areAll(String text, int start, int end, IntPredicate rule) {
        for (int i = start; i < end; i++) {
            if (!rule.test(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEscape(String text, int percent) {
        return percent + 2 < text.length() && isHex(text.charAt(percent + 1)) && isHex(text.charAt(percent + 2));
    }

    private static boolean isHex(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }

    private static boolean isAlphanumeric(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    public static String hex(int c) {
        return String.format("0x%02x", c);
    }

    private static boolean[] tokenCharacters() {
        boolean[] characters = new boolean[128];
        for (int c = 0; c < 128; c++) {
            characters[c] = isAlphanumeric(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
        }
        return characters;
    }
}
