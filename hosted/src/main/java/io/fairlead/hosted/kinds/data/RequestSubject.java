package io.fairlead.hosted.kinds.data;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_32BE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The subject of a certificate request (RFC 2986 section 4.1). Lengths must be definite, as DER has them (X.690 section 10.1).
 */
final class RequestSubject {
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int INTEGER = 0x02;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int LONG_LENGTH = 0x80;
    private static final int LENGTH_BYTES_MAX = 4;

    /** {@code id-at-organizationName}, 2.5.4.10. */
    private static final ByteBuffer ORGANIZATION = ByteBuffer.wrap(new byte[] {0x55, 4, 10});

    /** The forms of text by their tags (X.680 section 41). */
    private static final Map<Integer, Charset> TEXTS = Map.of(
            12, UTF_8,
            18, ISO_8859_1,
            19, ISO_8859_1,
            20, ISO_8859_1,
            22, ISO_8859_1,
            26, ISO_8859_1,
            27, ISO_8859_1,
            28, UTF_32BE,
            30, UTF_16BE);

    private RequestSubject() {}

    /**
     * The organizations that a subject names.
     *
     * @throws IllegalArgumentException if the request cannot be read
     */
    static List<String> organizations(byte[] der) {
        try {
            ByteBuffer info = content(SEQUENCE, content(SEQUENCE, ByteBuffer.wrap(der)));
            content(INTEGER, info);
            return organizations(content(SEQUENCE, info));
        } catch (BufferUnderflowException cut) {
            throw new IllegalArgumentException("asn1: syntax error: data truncated", cut);
        }
    }

    private static List<String> organizations(ByteBuffer name) {
        List<String> organizations = new ArrayList<>();
        while (name.hasRemaining()) {
            ByteBuffer relative = content(SET, name);
            while (relative.hasRemaining()) {
                ByteBuffer attribute = content(SEQUENCE, relative);
                if (content(OBJECT_IDENTIFIER, attribute).equals(ORGANIZATION)) {
                    organizations.add(text(attribute));
                }
            }
        }
        return organizations;
    }

    private static String text(ByteBuffer value) {
        int tag = value.get() & 0xff;
        Charset charset = TEXTS.get(tag);
        if (charset == null) {
            throw new IllegalArgumentException("asn1: structure error: an organization is no text");
        }
        return charset.decode(content(value)).toString();
    }

    private static ByteBuffer content(int tag, ByteBuffer from) {
        if ((from.get() & 0xff) != tag) {
            throw new IllegalArgumentException("asn1: structure error: tags don't match");
        }
        return content(from);
    }

    /** What stands behind a length; {@code from} goes on behind it. */
    private static ByteBuffer content(ByteBuffer from) {
        int length = length(from);
        if (length < 0 || length > from.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer content = from.slice(from.position(), length);
        from.position(from.position() + length);
        return content;
    }

    private static int length(ByteBuffer from) {
        int first = from.get() & 0xff;
        if (first < LONG_LENGTH) {
            return first;
        }
        int count = first - LONG_LENGTH;
        if (count == 0 || count > LENGTH_BYTES_MAX) {
            throw new IllegalArgumentException("asn1: structure error: no definite length");
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length = (length << 8) | (from.get() & 0xff);
        }
        return length;
    }
}
