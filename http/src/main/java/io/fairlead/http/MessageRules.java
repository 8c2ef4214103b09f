package io.fairlead.http;

/** What the heads of requests keep to whatever carries them, and of answers where they say the same. */
public final class MessageRules {
    /** The length of a body that is not announced. */
    public static final long LENGTH_UNKNOWN = -1;

    private static final int METHOD_BYTES_MAX = 32;
    private static final int LENGTH_DIGITS_MAX = 18;

    private MessageRules() {}

    /** A method that is served, which proxies' own is not. */
    public static HttpMethod method(String name) throws Malformed {
        if (name.length() > METHOD_BYTES_MAX || !FieldRules.isToken(name) || name.equals("CONNECT")) {
            throw Malformed.of(
                    Rule.METHOD,
                    "request method: expected a token of at most " + METHOD_BYTES_MAX + " bytes, and not CONNECT");
        }
        return HttpMethod.of(name);
    }

    /** Whether its requests have no body. */
    public static boolean isBodiless(HttpMethod method) {
        return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    }

    /** Refuses a target that is not in origin form, ambiguous or too long. */
    public static void requireTarget(String target, HeadLimits limits) throws Malformed {
        if (target.length() > limits.targetBytesMax()) {
            throw limits.targetTooLong();
        }
        FieldRules.requireTarget(target);
    }

    /** RFC 9113 section 8.2.1, and no other control bytes. Over HTTP/1.1 the blanks around a value are no part of it. */
    public static void requireValue(Fields fields, int field) throws Malformed {
        byte[] bytes = fields.bytes();
        int start = fields.valueStart(field);
        int end = start + fields.valueLength(field);
        if (FieldRules.endOfValue(bytes, start, end) < end) {
            throw Malformed.of(Rule.FIELD, "header field: expected no control bytes in its value");
        }
        if (end > start && (isBlank(bytes[start]) || isBlank(bytes[end - 1]))) {
            throw Malformed.of(Rule.FIELD, "header field: expected no space around its value");
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** The announced length, {@link #LENGTH_UNKNOWN} if none is. */
    public static long contentLength(Fields fields) throws Malformed {
        int field = fields.next(FieldName.CONTENT_LENGTH, 0);
        if (field < 0) {
            return LENGTH_UNKNOWN;
        }
        if (fields.next(FieldName.CONTENT_LENGTH, field + 1) >= 0) {
            throw Malformed.of(
                    Rule.CONTENT_LENGTH,
                    "Content-Length header: "
                            + fields.all(FieldName.CONTENT_LENGTH).size() + " of them (expected one)");
        }
        String length = fields.value(field);
        if (!isLength(length)) {
            throw Malformed.of(
                    Rule.CONTENT_LENGTH,
                    "Content-Length header: expected a decimal number of at most " + LENGTH_DIGITS_MAX + " digits");
        }
        return Long.parseLong(length);
    }

    /** Whether a client waits for a 100 before it sends a body (RFC 9110 section 10.1.1). */
    public static boolean expectsContinue(Fields fields) throws Malformed {
        int expectation = fields.next(FieldName.EXPECT, 0);
        if (expectation < 0) {
            return false;
        }
        if (fields.next(FieldName.EXPECT, expectation + 1) >= 0
                || !fields.value(expectation).equalsIgnoreCase("100-continue")) {
            throw Malformed.of(Rule.EXPECTATION, "Expect header: expected 100-continue");
        }
        return true;
    }

    /** Whether a value of {@code Content-Length} is one number. */
    public static boolean isLength(String text) {
        return !text.isEmpty() && text.length() <= LENGTH_DIGITS_MAX && FieldRules.isDigits(text);
    }
}
