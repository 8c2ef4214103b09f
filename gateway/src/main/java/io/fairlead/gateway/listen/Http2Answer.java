package io.fairlead.gateway.listen;

import io.fairlead.http.FieldRules;
import io.fairlead.http.Fields;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Iterator;
import java.util.Map;

/** An answer that goes out as frames of an HTTP/2 stream, as long as it announced to be. */
final class Http2Answer {
    private final boolean bodiless;
    private final long announced;
    private long written;

    private Http2Answer(boolean bodiless, long announced) {
        this.bodiless = bodiless;
        this.announced = announced;
    }

    /** @param toHead whether it answers a HEAD, so that its length is not its own */
    static Http2Answer of(int status, HttpHeaders headers, boolean toHead) {
        String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        boolean bodiless = toHead || status == 204 || status == 304;
        return new Http2Answer(bodiless, length == null || bodiless ? Received.LENGTH_UNKNOWN : Long.parseLong(length));
    }

    /** Whether no body belongs to it, whatever is handed in as one. */
    boolean isBodiless() {
        return bodiless;
    }

    /** Whether more was announced than was written. */
    boolean isShort() {
        return announced > written;
    }

    /** Whether what was written is as long as was announced. */
    boolean isAsAnnounced() {
        return announced == Received.LENGTH_UNKNOWN || written == announced;
    }

    /** A piece of the body is written. */
    void wrote(int bytes) {
        written += bytes;
    }

    /** The fields of its head, without the status. */
    static Fields fields(HttpHeaders headers) {
        Fields.Builder fields = Fields.builder(headers.size(), 32 * headers.size());
        Iterator<Map.Entry<CharSequence, CharSequence>> all = headers.iteratorCharSequence();
        while (all.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = all.next();
            fields.add(field.getKey().toString(), printable(field.getValue()));
        }
        return fields.build();
    }

    /** Replaces control bytes, which are invalid in a field (RFC 9113 section 8.2.1), by spaces. */
    private static String printable(CharSequence value) {
        for (int i = 0; i < value.length(); i++) {
            if (!FieldRules.isFieldValueCharacter(value.charAt(i))) {
                return value.toString().replaceAll("[\\x00-\\x08\\x0a-\\x1f\\x7f]", " ");
            }
        }
        return value.toString();
    }
}
