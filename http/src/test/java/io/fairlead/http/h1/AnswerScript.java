package io.fairlead.http.h1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.http.Malformed;
import io.fairlead.http.TrackedBuffers;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;

/** A reader with a scripted server: what is heard is one text, with the pieces of a body joined. */
final class AnswerScript implements AnswerReader.Sink {
    private static final int HEAD_BYTES_MAX = 300;
    private static final int FIELDS_MAX = 5;

    final AnswerReader reader = new AnswerReader(this, HEAD_BYTES_MAX, FIELDS_MAX);
    private final StringBuilder heard = new StringBuilder();

    /** What is heard of bytes that come in pieces, each up to one of the ends. */
    static String heard(String method, byte[] bytes, List<Integer> ends) {
        AnswerScript script = new AnswerScript();
        script.reader.expect(method);
        try {
            int at = 0;
            for (int end : ends) {
                script.receive(Arrays.copyOfRange(bytes, at, end));
                at = end;
            }
        } catch (Malformed malformed) {
            script.heard.append(" malformed");
        }
        script.heard.append(script.reader.holdsBytes() ? " rest" : "");
        script.reader.close();
        return script.heard.toString().strip();
    }

    /** The bytes of a text in which {@code |} stands for CR LF, and {@code <CR>} and {@code <LF>} for one of them. */
    static byte[] bytes(String text) {
        return text.replace("|", "\r\n")
                .replace("<CR>", "\r")
                .replace("<LF>", "\n")
                .getBytes(ISO_8859_1);
    }

    void receive(byte[] bytes) throws Malformed {
        reader.receive(TrackedBuffers.ALLOCATOR, TrackedBuffers.of(bytes));
    }

    String heard() {
        return heard.toString().strip();
    }

    @Override
    public void onHead(AnswerHead head) {
        heard.append(' ').append(head.status());
        if (!head.isInterim()) {
            heard.append(head.isLast() ? " last:" : ":");
        }
    }

    @Override
    public void onData(ByteBuf data) {
        heard.append(data.toString(ISO_8859_1));
        data.release();
    }

    @Override
    public void onEnd() {
        heard.append('.');
    }
}
