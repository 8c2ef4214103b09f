package io.fairlead.model;

import org.jspecify.annotations.Nullable;

/**
 * A raw query, read as Kubernetes reads it (Go's {@code url.ParseQuery}): pairs between {@code &}, {@code +} is a space,
 * keys are decoded too, and a pair that holds a {@code ;} or a bad escape is not there at all.
 */
public final class QueryParameters {
    private final String raw;

    private QueryParameters(String raw) {
        this.raw = raw;
    }

    /** A query without its question mark, one char for each byte; empty if there is none. */
    public static QueryParameters of(String rawQuery) {
        return new QueryParameters(rawQuery);
    }

    /**
     * The first value of a key: empty for a key without a value, null without the key.
     *
     * @throws StatusException with 400 if the value is no UTF-8
     */
    public @Nullable String first(String key) {
        int start = 0;
        while (start < raw.length()) {
            int ampersand = raw.indexOf('&', start);
            int end = ampersand < 0 ? raw.length() : ampersand;
            String value = valueIfKey(key, start, end);
            if (value != null) {
                return value;
            }
            start = end + 1;
        }
        return null;
    }

    /** Whether a key is set to anything but {@code 0} or {@code false}, as apimachinery reads a boolean. */
    public boolean isTrue(String key) {
        String value = first(key);
        return value != null && !value.equals("0") && !value.equalsIgnoreCase("false");
    }

    private @Nullable String valueIfKey(String key, int start, int end) {
        int equalsSign = raw.indexOf('=', start);
        int keyEnd = equalsSign < 0 || equalsSign > end ? end : equalsSign;
        if (!isReadable(start, end) || !key.equals(decode(start, keyEnd))) {
            return null;
        }
        int valueStart = Math.min(keyEnd + 1, end);
        String value = decode(valueStart, end);
        if (value == null) {
            throw Refusal.of("query parameter", raw.substring(start, end), "expected UTF-8");
        }
        return value;
    }

    private boolean isReadable(int start, int end) {
        for (int i = start; i < end; i++) {
            char c = raw.charAt(i);
            if (c == ';' || (c == '%' && SegmentText.escapedByte(raw, i, end) < 0)) {
                return false;
            }
        }
        return end > start;
    }

    private @Nullable String decode(int start, int end) {
        return SegmentText.utf8(SegmentText.unescape(raw, start, end, true));
    }
}
