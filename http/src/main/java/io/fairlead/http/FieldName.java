package io.fairlead.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/*
 * The names that the product asks for are found by a perfect hash over a name's length and three of its bytes, chosen so
 * that no two of them meet; one comparison then decides. A new constant that meets another fails when the class is
 * loaded: another multiplier must then be looked for.
 */
/**
 * The name of a header field (RFC 9110 section 5.1) or a pseudo-header field (RFC 9113 section 8.3), without regard to
 * case. Immutable.
 */
public final class FieldName {
    private static final int MULTIPLIER = 0x66b09f19;
    private static final int TABLE_BITS = 8;

    /** An id is a byte of a block. */
    static final int IDS = 128;

    private static final int LOWER = 0x20;

    private static final @Nullable FieldName[] TABLE = new FieldName[1 << TABLE_BITS];
    private static final @Nullable FieldName[] BY_ID = new FieldName[IDS];
    private static final List<FieldName> KNOWN = new ArrayList<>();

    public static final FieldName PSEUDO_AUTHORITY = known(":authority");
    public static final FieldName PSEUDO_METHOD = known(":method");
    public static final FieldName PSEUDO_PATH = known(":path");
    public static final FieldName PSEUDO_SCHEME = known(":scheme");
    public static final FieldName PSEUDO_STATUS = known(":status");
    public static final FieldName ACCEPT = known("accept");
    public static final FieldName ACCEPT_ENCODING = known("accept-encoding");
    public static final FieldName AUDIT_ID = known("audit-id");
    public static final FieldName AUTHORIZATION = known("authorization");
    public static final FieldName CACHE_CONTROL = known("cache-control");
    public static final FieldName CONNECTION = known("connection");
    public static final FieldName CONTENT_ENCODING = known("content-encoding");
    public static final FieldName CONTENT_LENGTH = known("content-length");
    public static final FieldName CONTENT_TYPE = known("content-type");
    public static final FieldName COOKIE = known("cookie");
    public static final FieldName DATE = known("date");
    public static final FieldName EXPECT = known("expect");
    public static final FieldName HOST = known("host");
    public static final FieldName IMPERSONATE_GROUP = known("impersonate-group");
    public static final FieldName IMPERSONATE_UID = known("impersonate-uid");
    public static final FieldName IMPERSONATE_USER = known("impersonate-user");
    public static final FieldName KEEP_ALIVE = known("keep-alive");
    public static final FieldName LOCATION = known("location");
    public static final FieldName ORIGIN = known("origin");
    public static final FieldName PROXY_AUTHENTICATE = known("proxy-authenticate");
    public static final FieldName PROXY_AUTHORIZATION = known("proxy-authorization");
    public static final FieldName PROXY_CONNECTION = known("proxy-connection");
    public static final FieldName RETRY_AFTER = known("retry-after");
    public static final FieldName SEC_WEBSOCKET_ACCEPT = known("sec-websocket-accept");
    public static final FieldName SEC_WEBSOCKET_KEY = known("sec-websocket-key");
    public static final FieldName SEC_WEBSOCKET_PROTOCOL = known("sec-websocket-protocol");
    public static final FieldName SEC_WEBSOCKET_VERSION = known("sec-websocket-version");
    public static final FieldName SET_COOKIE = known("set-cookie");
    public static final FieldName SET_COOKIE2 = known("set-cookie2");
    public static final FieldName TE = known("te");
    public static final FieldName TRAILER = known("trailer");
    public static final FieldName TRANSFER_ENCODING = known("transfer-encoding");
    public static final FieldName UPGRADE = known("upgrade");
    public static final FieldName USER_AGENT = known("user-agent");
    public static final FieldName VARY = known("vary");
    public static final FieldName WARNING = known("warning");
    public static final FieldName X_CONTENT_TYPE_OPTIONS = known("x-content-type-options");
    public static final FieldName X_FORWARDED_FOR = known("x-forwarded-for");

    private final String text;
    private final byte[] bytes;
    private final int id;

    private FieldName(String text, int id) {
        this.text = text;
        this.bytes = text.getBytes(US_ASCII);
        this.id = id;
    }

    /** The constant if there is one. The name is not checked; see {@link FieldRules#isToken}. */
    public static FieldName of(String name) {
        byte[] bytes = name.getBytes(US_ASCII);
        FieldName known = find(bytes, 0, bytes.length);
        return known == null ? new FieldName(name.toLowerCase(Locale.ROOT), 0) : known;
    }

    /** The constant with these bytes, in any case; null if there is none. */
    public static @Nullable FieldName find(byte[] bytes, int start, int length) {
        if (length == 0) {
            return null;
        }
        FieldName candidate = TABLE[slot(bytes, start, length)];
        return candidate != null && candidate.matches(bytes, start, length) ? candidate : null;
    }

    /** All constants; the one with id {@code n} stands at {@code n - 1}. */
    public static List<FieldName> known() {
        return List.copyOf(KNOWN);
    }

    /** The constant with an id; null for 0. */
    static @Nullable FieldName ofId(int id) {
        return BY_ID[id];
    }

    /** From 1 to 127 for a constant, 0 for every other name. */
    public int id() {
        return id;
    }

    /** In lower case; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** Whether these bytes are the name, in any case. */
    public boolean matches(byte[] other, int start, int length) {
        if (length != bytes.length) {
            return false;
        }
        int same = Arrays.mismatch(bytes, 0, length, other, start, start + length);
        for (int i = same < 0 ? length : same; i < length; i++) {
            byte own = bytes[i];
            byte b = other[start + i];
            if (b != own && (b < 'A' || b > 'Z' || (b | LOWER) != own)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a name begins so, in any case. */
    boolean begins(byte[] other, int start, int length) {
        return length >= bytes.length
                && (other[start] | LOWER) == (bytes[0] | LOWER)
                && matches(other, start, bytes.length);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof FieldName name && name.text.equals(text));
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** In lower case. */
    @Override
    public String toString() {
        return text;
    }

    private static FieldName known(String text) {
        FieldName name = new FieldName(text, KNOWN.size() + 1);
        int slot = slot(name.bytes, 0, name.bytes.length);
        FieldName other = TABLE[slot];
        if (other != null) {
            throw new IllegalStateException(text + " and " + other + " have one hash");
        }
        TABLE[slot] = name;
        BY_ID[name.id] = name;
        KNOWN.add(name);
        return name;
    }

    private static int slot(byte[] bytes, int start, int length) {
        int first = (bytes[start] | LOWER) & 0xff;
        int middle = (bytes[start + length / 2] | LOWER) & 0xff;
        int last = (bytes[start + length - 1] | LOWER) & 0xff;
        int key = first | (middle << 8) | (last << 16) | (length << 24);
        return (key * MULTIPLIER) >>> (Integer.SIZE - TABLE_BITS);
    }
}
