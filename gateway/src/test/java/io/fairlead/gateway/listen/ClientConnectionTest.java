package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.http.MutableFields;
import io.fairlead.model.Status;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of connections whose clients send in odd pieces, and of those for which there is no memory. */
class ClientConnectionTest {
    private static final int REQUESTS = 1_000;
    private static final String REQUEST =
            "GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Padding: " + "x".repeat(8 * 1024) + "\r\n\r\n";
    private static final int SPLIT = 10;

    /** With empty SETTINGS and a GET of / on stream 1 (RFC 9113 section 3.4, RFC 7541 appendix A). */
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\0\0\4\0\0\0\0\0"
            + "\0\0\16\1\5\0\0\0\1" + "\u0082\u0087\u0084A\11localhost";

    /** The client always sends the end of one request together with the begin of the next. */
    @Test
    void requestsThatNeverEndWithARead_keepNothingOfWhatWasAnswered() {
        var allocator = new UnpooledByteBufAllocator(false);
        var answering = new AnsweringAtOnce();
        var channel = new EmbeddedChannel(connection(answering));

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

    /** Answers come from tasks of the event loop too, where nobody hears of an error. */
    @Test
    void answerWithoutABuffer_closesTheConnection() {
        var answering = new AnsweringLater();
        var channel = new EmbeddedChannel(connection(answering));
        channel.writeInbound(Unpooled.copiedBuffer(REQUEST, US_ASCII));

        channel.config().setAllocator(new Exhausted());
        answering.answer(false);
        turn(channel);

        assertThat(channel.isOpen()).isFalse();
        assertThat(answering.gone).isTrue();
        assertThat(channel.<Object>readOutbound()).isNull();
    }

    @Test
    void chunkWithoutABuffer_closesTheConnectionAndIsReleased() {
        var answering = new AnsweringLater();
        var channel = begun(answering);

        channel.config().setAllocator(new Exhausted());
        ByteBuf chunk = Unpooled.copiedBuffer("piece", US_ASCII);
        answering.data(chunk);
        turn(channel);

        assertThat(channel.isOpen()).isFalse();
        assertThat(answering.gone).isTrue();
        assertThat(chunk.refCnt()).isZero();
        channel.releaseOutbound();
    }

    /** The client would wait for a last chunk. */
    @Test
    void endWithoutABuffer_closesTheConnection() {
        var answering = new AnsweringLater();
        var channel = begun(answering);

        channel.config().setAllocator(new Exhausted());
        answering.end();
        turn(channel);

        assertThat(channel.isOpen()).isFalse();
        assertThat(answering.gone).isTrue();
        channel.releaseOutbound();
    }

    @Test
    void answerByHttp2WithoutABuffer_closesTheConnection() {
        var answering = new AnsweringLater();
        var channel = new EmbeddedChannel(new Http2Connection(client(answering)));
        channel.writeInbound(Unpooled.copiedBuffer(PREFACE, StandardCharsets.ISO_8859_1));
        turn(channel);
        channel.releaseOutbound();

        channel.config().setAllocator(new Exhausted());
        answering.answer(false);
        turn(channel);

        assertThat(channel.isOpen()).isFalse();
        assertThat(answering.gone).isTrue();
        channel.releaseOutbound();
    }

    /** A handler below, TLS or the socket, may find no memory either, and says so to whoever wrote. */
    @Test
    void pieceThatIsNotWritten_closesTheConnection() {
        var answering = new AnsweringLater();
        var refusing = new Refusing();
        var channel = new EmbeddedChannel(refusing, connection(answering));
        channel.writeInbound(Unpooled.copiedBuffer(REQUEST, US_ASCII));
        answering.answer(false);
        turn(channel);
        assertThat(channel.isOpen()).isTrue();

        refusing.refuses = true;
        answering.data(Unpooled.copiedBuffer("piece", US_ASCII));
        turn(channel);

        assertThat(channel.isOpen()).isFalse();
        assertThat(answering.gone).isTrue();
        channel.releaseOutbound();
    }

    /** Who gives up many requests is refused for a while; this one gave up none. */
    @Test
    void requestThatEndsWithoutABuffer_isNotCountedAsGivenUp() {
        for (boolean isByClient : new boolean[] {true, false}) {
            var cancellations = new Cancellations(0, Duration.ofDays(1), System::nanoTime);
            var channel = new EmbeddedChannel(connection(new AnsweringLater(), cancellations));
            channel.writeInbound(Unpooled.copiedBuffer(REQUEST, US_ASCII));

            if (isByClient) {
                channel.close();
            } else {
                channel.pipeline().fireExceptionCaught(new NoMemory());
            }
            turn(channel);

            assertThat(channel.isOpen()).isFalse();
            assertThat(cancellations.refusedSeconds(AddressBlock.of(InetAddress.getLoopbackAddress())) > 0)
                    .isEqualTo(isByClient);
        }
    }

    /** What is no request is answered with a refusal, for which there may be no buffer either. */
    @Test
    void refusalWithoutABuffer_closesTheConnection() {
        var channel = new EmbeddedChannel(connection(new AnsweringLater()));
        channel.config().setAllocator(new Exhausted());

        unlessItEscapes(() -> channel.writeInbound(Unpooled.copiedBuffer("no request\r\n\r\n", US_ASCII)));

        assertThat(channel.isOpen()).isFalse();
    }

    /** A connection whose answer has a head. */
    private static EmbeddedChannel begun(AnsweringLater answering) {
        var channel = new EmbeddedChannel(connection(answering));
        channel.writeInbound(Unpooled.copiedBuffer(REQUEST, US_ASCII));
        answering.answer(false);
        turn(channel);
        return channel;
    }

    private static void turn(EmbeddedChannel channel) {
        unlessItEscapes(channel::runPendingTasks);
    }

    /** JUnit would take it for the end of its own JVM. */
    private static void unlessItEscapes(Runnable step) {
        try {
            step.run();
        } catch (NoMemory escaped) {
            throw new AssertionError("nobody hears of it", escaped);
        }
    }

    private static Http1Connection connection(RequestHandler handler) {
        return new Http1Connection(client(handler));
    }

    private static Http1Connection connection(RequestHandler handler, Cancellations cancellations) {
        return new Http1Connection(client(handler, cancellations));
    }

    private static ClientConnection client(RequestHandler handler) {
        return client(handler, new Cancellations(1, Duration.ofSeconds(1), System::nanoTime));
    }

    private static ClientConnection client(RequestHandler handler, Cancellations cancellations) {
        return new ClientConnection(
                new Peer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000), null, List.of()),
                Limited.BY_DEFAULT.limits(),
                handler,
                ConnectionMeter.NONE,
                new ByteBudget(Long.MAX_VALUE, System::nanoTime).part(() -> {}),
                new ByteBudget(Long.MAX_VALUE, System::nanoTime),
                cancellations,
                place());
    }

    private static Place place() {
        ConnectionQuota quota = new ConnectionQuota(Limited.BY_DEFAULT.limits(), 1);
        quota.acquire(InetAddress.getLoopbackAddress());
        return Place.of(quota, InetAddress.getLoopbackAddress(), new Strangers(), () -> {});
    }

    private static ByteBuf bytes(UnpooledByteBufAllocator allocator, String text) {
        return allocator.heapBuffer(text.length()).writeBytes(text.getBytes(US_ASCII));
    }

    private static final class AnsweringAtOnce implements RequestHandler {
        private int requests;

        @Override
        public void handle(Received request, ClientStream client) {
            requests++;
            client.head(200, new MutableFields(), true);
        }

        @Override
        public void refused(Peer peer, Status status) {
            throw new AssertionError(status.message());
        }
    }

    /** Answers from tasks of the event loop. */
    private static final class AnsweringLater implements RequestHandler {
        private @Nullable ClientStream stream;
        private boolean gone;

        @Override
        public void handle(Received request, ClientStream client) {
            stream = client;
            client.receive(new RequestListener() {
                @Override
                public void onData(ByteBuf data) {
                    data.release();
                }

                @Override
                public void onEnd() {}

                @Override
                public void onGone() {
                    gone = true;
                }
            });
        }

        void answer(boolean last) {
            ClientStream client = Objects.requireNonNull(stream);
            client.eventLoop().execute(() -> client.head(200, new MutableFields(), last));
        }

        void end() {
            ClientStream client = Objects.requireNonNull(stream);
            client.eventLoop().execute(client::end);
        }

        void data(ByteBuf data) {
            ClientStream client = Objects.requireNonNull(stream);
            client.eventLoop().execute(() -> client.data(data));
        }

        @Override
        public void refused(Peer peer, Status status) {
            assertThat(status.code()).isEqualTo(400);
        }
    }

    /** Fails what is written, once it is told to. */
    private static final class Refusing extends ChannelOutboundHandlerAdapter {
        private boolean refuses;

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            if (refuses) {
                ReferenceCountUtil.release(message);
                promise.setFailure(new NoMemory());
            } else {
                ctx.write(message, promise);
            }
        }
    }

    /** Has no buffer left. */
    private static final class Exhausted extends AbstractByteBufAllocator {
        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            throw new NoMemory();
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            throw new NoMemory();
        }
    }

    /** As Netty's OutOfDirectMemoryError, which it alone can make. */
    private static final class NoMemory extends OutOfMemoryError {
        private static final long serialVersionUID = 1L;

        NoMemory() {
            super("failed to allocate memory (the test says so)");
        }
    }
}
