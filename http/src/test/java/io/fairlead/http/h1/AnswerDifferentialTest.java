package io.fairlead.http.h1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.Malformed;
import io.fairlead.http.TrackedBuffers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random answers, read by this reader and by Netty's: what the reader takes, both must read alike. {@code
 * -Dfuzz.seconds=N} goes on for longer, from a seed of its own.
 */
class AnswerDifferentialTest {
    private static final int ROUNDS = 40_000;

    private static final List<String> ANSWERS = List.of(
            "HTTP/1.1 200 OK|Content-Length: 2||ok",
            "HTTP/1.1 404 Not Found|Content-Type: text/plain|Content-Length: 11||hello world",
            "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|b|hello world|0||",
            "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5;a=b|hello|0|X: y||",
            "HTTP/1.1 204 No Content||",
            "HTTP/1.1 304 Not Modified|ETag: \"x\"||",
            "HTTP/1.1 200 OK|Connection: close|Content-Length: 2||ok",
            "HTTP/1.0 200 OK|Content-Length: 2||ok",
            "HTTP/1.1 503|Retry-After: 1|Content-Length: 0||");

    private static final List<String> PIECES = List.of(
            "\r\n",
            "\r",
            "\n",
            " ",
            "\t",
            ":",
            ",",
            ";",
            "0",
            "1",
            "2",
            "a",
            "\u0000",
            "\u007f",
            "\u00e9",
            "chunked",
            "identity",
            "Content-Length: 2\r\n",
            "Content-Length: 3\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Transfer-Encoding: gzip\r\n",
            "HTTP/1.1 200 OK\r\n",
            "HTTP/1.0",
            "X: y\r\n",
            "0\r\n\r\n",
            "\r\n\r\n",
            "+",
            "-",
            "0x");

    @Test
    void answersThatAreTaken_areReadAlike() {
        Long seconds = Long.getLong("fuzz.seconds");
        Random random = new Random(seconds == null ? 7 : System.nanoTime());
        long end = System.nanoTime() + (seconds == null ? 0 : seconds * 1_000_000_000L);
        int taken = 0;
        for (int i = 0; i < ROUNDS || System.nanoTime() < end; i++) {
            byte[] answer = mutated(random);
            String ours = ours(answer);
            if (!ours.endsWith(".")) {
                continue;
            }
            taken++;
            assertThat(ours).as("%s", shown(answer)).isEqualTo(nettys(answer));
        }
        assertThat(taken).isGreaterThan(ROUNDS / 20);
    }

    private static String shown(byte[] answer) {
        StringBuilder text = new StringBuilder();
        for (byte b : answer) {
            text.append(b > ' ' && b < 0x7f ? String.valueOf((char) b) : String.format("<%02x>", b & 0xff));
        }
        return text.toString();
    }

    private static byte[] mutated(Random random) {
        StringBuilder text =
                new StringBuilder(ANSWERS.get(random.nextInt(ANSWERS.size())).replace("|", "\r\n"));
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                case 1 -> text.deleteCharAt(at);
                case 2 -> text.setCharAt(at, (char) random.nextInt(256));
                default -> text.replace(at, at + 1, PIECES.get(random.nextInt(PIECES.size())));
            }
        }
        return text.append(random.nextBoolean() ? "" : "more").toString().getBytes(ISO_8859_1);
    }

    /** The status and the body, with a dot behind an end; nothing if it is refused. */
    private static String ours(byte[] answer) {
        StringBuilder heard = new StringBuilder();
        AnswerReader reader = new AnswerReader(
                new AnswerReader.Sink() {
                    @Override
                    public void onHead(AnswerHead head) {
                        heard.append(head.status()).append(':');
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
                },
                8192,
                100);
        reader.expect("GET");
        try {
            reader.receive(TrackedBuffers.ALLOCATOR, TrackedBuffers.of(answer));
            return heard.toString();
        } catch (Malformed e) {
            return "";
        } finally {
            reader.close();
        }
    }

    /** The same of the first final answer that Netty reads. */
    private static String nettys(byte[] answer) {
        EmbeddedChannel channel = new EmbeddedChannel(new HttpResponseDecoder() {
            @Override
            protected boolean isContentAlwaysEmpty(HttpMessage message) {
                int status = ((HttpResponse) message).status().code();
                return status < 200 || status == 204 || status == 304;
            }
        });
        channel.writeInbound(Unpooled.copiedBuffer(answer));
        StringBuilder heard = new StringBuilder();
        boolean over = false;
        for (HttpObject piece = channel.readInbound(); piece != null; piece = channel.readInbound()) {
            if (!over && piece instanceof HttpResponse head) {
                heard.append(head.status().code()).append(':');
            }
            if (!over && piece instanceof HttpContent content) {
                heard.append(content.content().toString(ISO_8859_1));
                boolean isInterim = heard.length() == 4 && heard.charAt(0) == '1';
                boolean isEnd = content instanceof LastHttpContent;
                heard.append(isEnd && !isInterim ? "." : "");
                over = isEnd && !isInterim;
            }
            ReferenceCountUtil.release(piece);
        }
        channel.finishAndReleaseAll();
        return heard.toString();
    }
}
