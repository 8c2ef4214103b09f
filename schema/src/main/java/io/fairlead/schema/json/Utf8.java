package io.fairlead.schema.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/**
 * Decodes bytes as UTF-8 and refuses invalid ones: two different texts must not become equal by replacement characters.
 */
final class Utf8 {
    private static final int CHUNK = 8 * 1024;

    private Utf8() {}

    /**
     * The text.
     *
     * @param problem how the refusal begins
     */
    static String text(byte[] utf8, String problem) {
        String text = new String(utf8, UTF_8);
        // What stands for malformed bytes may be in the text itself.
        if (text.indexOf('\uFFFD') >= 0) {
            refuseMalformed(utf8, problem);
        }
        return text;
    }

    /**
     * Refuses invalid UTF-8, including overlong forms, which a JSON parser may accept as the short ones.
     *
     * @param problem how the refusal begins
     */
    static void refuseMalformed(byte[] utf8, String problem) {
        CharsetDecoder decoder = UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer bytes = ByteBuffer.wrap(utf8);
        CharBuffer decoded = CharBuffer.allocate(CHUNK);
        CoderResult result = CoderResult.OVERFLOW;
        while (result.isOverflow()) {
            decoded.clear();
            result = decoder.decode(bytes, decoded, true);
        }
        if (result.isError()) {
            throw new UnreadableDocumentException("%s: byte 0x%02x at offset %d (expected UTF-8)"
                    .formatted(problem, utf8[bytes.position()], bytes.position()));
        }
    }
}
