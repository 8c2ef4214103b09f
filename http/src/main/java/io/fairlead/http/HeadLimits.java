package io.fairlead.http;

/**
 * The most that the head of a request may be.
 *
 * @param targetBytesMax its target
 * @param bytesMax all its fields
 * @param fieldsMax their number
 */
public record HeadLimits(int targetBytesMax, int bytesMax, int fieldsMax) {
    public Malformed targetTooLong() {
        return Malformed.of(Rule.TARGET_BYTES, "request target: expected at most " + targetBytesMax + " bytes");
    }

    public Malformed tooManyBytes() {
        return Malformed.of(Rule.FIELD_BYTES, "header fields: expected at most " + bytesMax + " bytes of them");
    }

    public Malformed tooManyFields() {
        return Malformed.of(Rule.FIELDS, "header fields: expected at most " + fieldsMax);
    }
}
