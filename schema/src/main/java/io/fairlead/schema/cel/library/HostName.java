package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/*
 * Problem: a host is written with or without a port, a scheme, a dot at its end, in any case, in Unicode or as DNS has it.
 *
 * A name in Unicode is folded by IDNA 2003 (RFC 3490), which the JDK has. IDNA 2008 (RFC 5891) reads four characters otherwise; a
 * name with one of them is refused, since it would be another host for some clients. The mapping makes dots, slashes and the like
 * of other characters, and so the result is checked, not what was written. Underscores are allowed, as in DNS (RFC 2181 section 11).
 */

/** A host in the one form that all ways of writing it have: an A-label in lower case, or an address as Go prints it. */
final class HostName {
    /** Of what is written, a URL perhaps. */
    static final int WRITTEN_CHARS_MAX = 8192;

    /** Of the name (RFC 1035 section 2.3.4, without the root). */
    static final int CHARS_MAX = 253;

    /** Of a name in Unicode; its mapping may be shorter. */
    private static final int UNICODE_CHARS_MAX = 1000;

    /** Of a name in Unicode: its label, of as many characters, may be gone over for each of them. */
    private static final int STEPS_OF_CHARACTER = UNICODE_CHARS_MAX / 32;

    private static final int PORT_MAX = 65_535;
    private static final String WILDCARD = "*.";
    private static final String SCHEME_END = "://";
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*+");
    private static final Pattern PORT = Pattern.compile(":[0-9]{0,5}+");
    private static final String LABEL = "[a-z0-9_](?:[-a-z0-9_]{0,61}[a-z0-9_])?";
    private static final Pattern NAME = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*+");
    private static final Pattern NUMBER_LAST = Pattern.compile("(?:.*\\.)?[0-9]++");

    /** Sharp s, final sigma, and the two joiners (UTS 46 section 7). */
    private static final Pattern READ_TWO_WAYS = Pattern.compile("[\u00df\u03c2\u200c\u200d]");

    private HostName() {}

    /** The host that a text names, or an error. */
    static Object of(String text, Work work) {
        if (text.length() > WRITTEN_CHARS_MAX) {
            return new CelError(
                    "hostOf: a text of " + text.length() + " characters (expected at most " + WRITTEN_CHARS_MAX + ")");
        }
        work.makeText(text.length());
        String host = withoutPort(authority(text));
        if (READ_TWO_WAYS.matcher(host).find()) {
            return new CelError("hostOf: " + Values.quoted(text)
                    + " has a character that IDNA 2003 and 2008 read differently (expected the name as DNS has"
                    + " it, xn--)");
        }
        String normal = host.contains(":") ? address(host) : name(host, work);
        return normal.isEmpty()
                ? new CelError("hostOf: " + Values.quoted(text)
                        + " is no host (expected a DNS name or an IP address, with or without a port, or a URL)")
                : normal;
    }

    /** The part of a URL that has the host, or all of a text that is none; empty if it is malformed. */
    private static String authority(String text) {
        int end = text.indexOf(SCHEME_END);
        if (end < 0) {
            return text;
        }
        String rest = text.substring(end + SCHEME_END.length());
        int path = 0;
        while (path < rest.length() && "/?#".indexOf(rest.charAt(path)) < 0) {
            path++;
        }
        String authority = rest.substring(0, path);
        String host = authority.substring(authority.lastIndexOf('@') + 1);
        boolean bare = !host.startsWith("[") && host.indexOf(':') != host.lastIndexOf(':');
        return bare || !SCHEME.matcher(text.substring(0, end)).matches() ? "" : host;
    }

    /** A host without its port, or the address in brackets; empty if they are malformed. */
    private static String withoutPort(String host) {
        int colon = host.indexOf(':');
        if (host.startsWith("[")) {
            int close = host.indexOf(']');
            boolean valid = colon > 0 && colon < close && isPort(host.substring(close + 1));
            return valid ? host.substring(1, close) : "";
        }
        if (colon < 0 || colon != host.lastIndexOf(':')) {
            return host;
        }
        return isPort(host.substring(colon)) ? host.substring(0, colon) : "";
    }

    /** Whether it is a port with its colon, or nothing; a port may be empty (RFC 3986 section 3.2.3). */
    private static boolean isPort(String text) {
        return text.isEmpty()
                || (PORT.matcher(text).matches()
                        && (text.length() == 1 || Integer.parseInt(text.substring(1)) <= PORT_MAX));
    }

    private static String address(String text) {
        return Address.parse(text) instanceof Address.Reading.Found(Address address) ? address.toString() : "";
    }

    private static String name(String host, Work work) {
        boolean wildcard = host.startsWith(WILDCARD);
        String name =
                ascii(wildcard ? host.substring(WILDCARD.length()) : host, work).toLowerCase(Locale.ROOT);
        name = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        int charsMax = wildcard ? CHARS_MAX - WILDCARD.length() : CHARS_MAX;
        if (name.length() > charsMax || !NAME.matcher(name).matches()) {
            return "";
        }
        if (NUMBER_LAST.matcher(name).matches()) {
            return wildcard ? "" : address(name);
        }
        return wildcard ? WILDCARD + name : name;
    }

    /** A name as DNS has it; empty if it cannot be. */
    private static String ascii(String name, Work work) {
        if (StandardCharsets.US_ASCII.newEncoder().canEncode(name)) {
            return name;
        }
        if (name.length() > UNICODE_CHARS_MAX) {
            return "";
        }
        work.spend((long) STEPS_OF_CHARACTER * name.length());
        try {
            return IDN.toASCII(name);
        } catch (RuntimeException e) { // not always what is promised: beyond 1,000 characters it is of no other class
            return "";
        }
    }
}
