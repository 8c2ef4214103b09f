package io.fairlead.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A raw query, read as Kubernetes reads it (Go's {@code url.ParseQuery}): pairs between {@code &}, {@code +} is a
 * space, keys are decoded too, and a pair with a {@code ;} or a bad escape is skipped.
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
     * @throws StatusException with 400 if the value is not UTF-8
     */
    public @Nullable String first(String key) {
        for (int start = 0; start < raw.length(); start = pairEnd(start) + 1) {
            int end = pairEnd(start);
            if (key.equals(key(start, end))) {
                return value(start, end);
            }
        }
        return null;
    }

    /**
     * Every key with its values, in order.
     *
     * @throws StatusException with 400 if a value is no UTF-8
     */
    public Map<String, List<String>> all() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (int start = 0; start < raw.length(); start = pairEnd(start) + 1) {
            int end = pairEnd(start);
            String key = key(start, end);
            if (key != null) {
                all.computeIfAbsent(key, _ -> new ArrayList<>(1)).add(value(start, end));
            }
        }
        return all;
    }

    /** Whether a key is set to anything but {@code 0} or {@code false}, as apimachinery reads a boolean. */
    public boolean isTrue(String key) {
        String value = first(key);
        return value != null && !value.equals("0") && !value.equalsIgnoreCase("false");
    }

    private int pairEnd(int start) {
        int ampersand = raw.indexOf('&', start);
        return ampersand < 0 ? raw.length() : ampersand;
    }

    /** The key of a pair; null if the pair is not there at all, or its key is no UTF-8 and so no key that is asked for. */
    private @Nullable String key(int start, int end) {
        return isReadable(start, end) ? decode(start, keyEnd(start, end)) : null;
    }

    private String value(int start, int end) {
        String value = decode(Math.min(keyEnd(start, end) + 1, end), end);
        if (value == null) {
            throw Refusal.of("query parameter", raw.substring(start, end), "expected UTF-8");
        }
        return value;
    }

    private int keyEnd(int start, int end) {
        int equalsSign = raw.indexOf('=', start);
        return equalsSign < 0 || equalsSign > end ? end : equalsSign;
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
