package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class Http1ConnectionTest {
    private static final int REQUESTS = 1_000;
    private static final String REQUEST =
            "GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Padding: " + "x".repeat(8 * 1024) + "\r\n\r\n";
    private static final int SPLIT = 10;

    /** The client always sends the end of one request together with the begin of the next. */
    @Test
    void requestsThatNeverEndWithARead_keepNothingOfWhatWasAnswered() {
        var allocator = new UnpooledByteBufAllocator(false);
        var answering = new AnsweringAtOnce();
        var channel = new EmbeddedChannel(new Http1Connection(
                new Peer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000), null, List.of()),
                EdgeLimits.defaults(),
                answering,
                ConnectionMeter.NONE,
                new UnparsedBytes(Long.MAX_VALUE, System::nanoTime).part(() -> {}),
                new Cancellations(1, Duration.ofSeconds(1), System::nanoTime)));

        channel.writeInbound(bytes(allocator, REQUEST.substring(0, SPLIT)));
        for (int i = 0; i < REQUESTS; i++) {
            channel.writeInbound(bytes(allocator, REQUEST.substring(SPLIT) + REQUEST.substring(0, SPLIT)));
            channel.releaseOutbound();
        }

        assertThat(answering.requests).isEqualTo(REQUESTS);
        assertThat(allocator.metric().usedHeapMemory()).isLessThan(20L * REQUEST.length());
        channel.finishAndReleaseAll();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }

    private static ByteBuf bytes(UnpooledByteBufAllocator allocator, String text) {
        return allocator.heapBuffer(text.length()).writeBytes(text.getBytes(US_ASCII));
    }

    private static final class AnsweringAtOnce implements RequestHandler {
        private int requests;

        @Override
        public void handle(Received request, ClientStream client) {
            requests++;
            client.head(200, DefaultHttpHeadersFactory.headersFactory().newHeaders(), true);
        }

        @Override
        public void refused(Peer peer, Status status) {
            throw new AssertionError(status.message());
        }
    }
}
