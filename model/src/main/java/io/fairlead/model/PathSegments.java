package io.fairlead.model;

/**
 * The segments of a path that parses alike raw and percent-decoded.
 *
 * <p>Refuses empty segments, dot segments, parameters ({@code ;}), escapes that stand for an unreserved character, a
 * slash, a percent sign, a semicolon, a backslash or a control byte, escapes that are incomplete or not UTF-8, and
 * bytes that a URI must not contain unescaped and that other parsers interpret. Any two parsers then see the same
 * segments (RFC 3986 sections 2.3, 3.3 and 6.2.2). One trailing slash adds no segment.
 *
 * <p>The path after a {@code proxy} subresource belongs to another server: it is opaque, except that a dot segment,
 * plain or escaped, and a control byte are refused there too.
 */
final class PathSegments {
    /**
     * The length of the longest form: prefix, group, version, verb, "namespaces", namespace, resource, name,
     * subresource.
     */
    private static final int KEPT_MAX = 9;

    private final String raw;
    private final int[] starts = new int[KEPT_MAX];
    private final int[] ends = new int[KEPT_MAX];
    private int count;

    private PathSegments(String raw) {
        this.raw = raw;
    }

    /** Splits a path; throws the 400 of the first ambiguous segment. */
    static PathSegments of(String raw) {
        if (raw.isEmpty() || raw.charAt(0) != '/') {
            throw Refusal.of("path", raw, "expected to begin with '/'");
        }
        PathSegments segments = new PathSegments(raw);
        segments.split();
        return segments;
    }

    int count() {
        return count;
    }

    /** Whether the segment exists and is this word. */
    boolean is(int index, String word) {
        return index < count && ends[index] - starts[index] == word.length() && raw.startsWith(word, starts[index]);
    }

    /** The decoded segment, empty if there is none. */
    String text(int index) {
        return index < count ? SegmentText.decode(raw, starts[index], ends[index]) : "";
    }

    /** The raw text after a segment, without the slash between. */
    String after(int index) {
        return index < count && ends[index] < raw.length() ? raw.substring(ends[index] + 1) : "";
    }

    /** The index of the API version, or 0 if the path does not begin as an API path does. */
    int version() {
        if (is(0, "api")) {
            return 1;
        }
        return is(0, "apis") ? 2 : 0;
    }

    /** The index of the resource if the segment at {@code from} may begin {@code namespaces/{namespace}/}. */
    int resource(int from) {
        boolean inNamespace =
                is(from, "namespaces") && count > from + 2 && !is(from + 2, "status") && !is(from + 2, "finalize");
        return inNamespace ? from + 2 : from;
    }

    private void split() {
        int start = 1;
        while (start < raw.length()) {
            int slash = raw.indexOf('/', start);
            int end = slash < 0 ? raw.length() : slash;
            SegmentText.requirePlain(raw, start, end);
            add(start, end);
            if (endsInProxySubresource()) {
                SegmentText.requireNoDotSegments(raw, end);
                return;
            }
            start = end + 1;
        }
    }

    private void add(int start, int end) {
        if (count < KEPT_MAX) {
            starts[count] = start;
            ends[count] = end;
        }
        count++;
    }

    private boolean endsInProxySubresource() {
        // First what few segments are: this is called for each.
        if (count > KEPT_MAX || !is(count - 1, "proxy") || version() == 0) {
            return false;
        }
        int first = version() + 1;
        return !is(first, "watch") && !is(first, "proxy") && count - 1 == resource(first) + 2;
    }
}
