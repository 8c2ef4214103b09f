package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.Fields;
import io.fairlead.http.Malformed;
import io.fairlead.http.h1.AnswerHead;
import io.fairlead.http.h1.AnswerReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random answers to GET requests: each that is passed on is the same one to Go, with the interim ones before it. */
@Timeout(value = Fuzzing.MINUTES_MAX, unit = TimeUnit.MINUTES)
class AnswersReadElsewhereTest {
    private static final int BATCH = 200;
    private static final int HEAD_BYTES_MAX = 8192;
    private static final int FIELDS_MAX = 100;
    private static final int SWITCHING = 101;

    private static final List<String> ANSWERS = List.of(
            "HTTP/1.1 200 OK|Content-Length: 2||ok",
            "HTTP/1.1 404 Not Found|Content-Type: text/plain|Content-Length: 11||hello world",
            "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|b|hello world|0||",
            "HTTP/1.1 200 OK|transfer-encoding: Chunked||5;a=b|hello|0|X: y||",
            "HTTP/1.1 204 No Content||",
            "HTTP/1.1 304 Not Modified|ETag: \"x\"||",
            "HTTP/1.1 200 OK|Connection: close|Content-Length: 2||ok",
            "HTTP/1.1 200 OK|X: y|X: z||until the end",
            "HTTP/1.0 200 OK|Content-Length: 2||ok",
            "HTTP/1.1 100 Continue||",
            "HTTP/1.1 103 Early Hints|Link: x||",
            "HTTP/1.1 503|Retry-After: 1|Content-Length: 0||");

    @Test
    void answerThatIsPassedOn_isTheSameToGo() throws Exception {
        try (GoReader go = GoReader.start()) {
            Fuzzing fuzzing = new Fuzzing("answers, beside Go");
            while (fuzzing.goesOn()) {
                List<byte[]> inputs = new ArrayList<>();
                List<List<String>> ours = new ArrayList<>();
                while (inputs.size() < BATCH) {
                    byte[] input = fuzzing.mutant(ANSWERS);
                    List<String> read = new Heard().of(input);
                    if (!read.isEmpty()) {
                        inputs.add(input);
                        ours.add(read);
                    }
                }
                List<List<String>> theirs = go.read('a', inputs);
                for (int i = 0; i < inputs.size(); i++) {
                    assertThat(theirs.get(i))
                            .as("%s", fuzzing.shown(inputs.get(i)))
                            .startsWith(ours.get(i).toArray(String[]::new));
                }
            }
        }
    }

    /** The complete answer at the beginning of some bytes, a line, and a line for each interim one. */
    private static final class Heard implements AnswerReader.Sink {
        private final List<String> lines = new ArrayList<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private @Nullable AnswerHead current;

        List<String> of(byte[] bytes) {
            AnswerReader reader = new AnswerReader(this, HEAD_BYTES_MAX, FIELDS_MAX);
            reader.expect("GET");
            try {
                reader.receive(UnpooledByteBufAllocator.DEFAULT, Unpooled.copiedBuffer(bytes));
                reader.ended();
            } catch (Malformed refused) {
                // What was passed on before stands.
            }
            reader.close();
            return lines;
        }

        @Override
        public void onHead(AnswerHead head) {
            current = head;
            if (head.isInterim() && head.status() != SWITCHING) {
                onEnd();
            }
        }

        @Override
        public void onData(ByteBuf data) {
            byte[] bytes = new byte[data.readableBytes()];
            data.readBytes(bytes).release();
            body.writeBytes(bytes);
        }

        @Override
        public void onEnd() {
            AnswerHead head = current;
            if (head != null) {
                Reading reading = new Reading();
                Fields fields = head.fields();
                for (int field = 0; field < fields.size(); field++) {
                    reading.field(fields.name(field), fields.value(field));
                }
                lines.add(reading.answer(head.status(), body.toByteArray()));
            }
        }
    }
}
