package io.fairlead.gateway.listen;

import io.fairlead.gateway.Limited;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The requests of one connection that the front end hands on completely, a line each. */
final class OurReader implements RequestHandler {
    private final List<String> read = new ArrayList<>();

    private OurReader() {}

    static List<String> http1(byte[] bytes) {
        return read(bytes, Http1Connection::new);
    }

    static List<String> http2(byte[] bytes) {
        return read(bytes, Http2Connection::new);
    }

    private static List<String> read(byte[] bytes, Function<ClientConnection, ChannelHandler> connection) {
        OurReader reader = new OurReader();
        EmbeddedChannel channel = new EmbeddedChannel(connection.apply(reader.client()));
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
        channel.runPendingTasks();
        channel.finishAndReleaseAll();
        return reader.read;
    }

    private ClientConnection client() {
        ConnectionQuota quota = new ConnectionQuota(Limited.BY_DEFAULT.limits(), 1);
        quota.acquire(InetAddress.getLoopbackAddress());
        return new ClientConnection(
                new Peer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000), null, List.of()),
                Limited.BY_DEFAULT.limits(),
                this,
                ConnectionMeter.NONE,
                new ByteBudget(Long.MAX_VALUE, System::nanoTime).part(() -> {}),
                new ByteBudget(Long.MAX_VALUE, System::nanoTime),
                new Cancellations(100, Duration.ofSeconds(1), System::nanoTime),
                Place.of(quota, InetAddress.getLoopbackAddress(), new Strangers(), () -> {}));
    }

    @Override
    public void handle(Received request, ClientStream client) {
        client.receive(new Listening(request, client));
        client.read();
    }

    @Override
    public void refused(Peer peer, Status status) {}

    private final class Listening implements RequestListener {
        private final Received request;
        private final ClientStream client;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Listening(Received request, ClientStream client) {
            this.request = request;
            this.client = client;
        }

        @Override
        public void onData(ByteBuf data) {
            byte[] bytes = new byte[data.readableBytes()];
            data.readBytes(bytes).release();
            body.writeBytes(bytes);
            client.read();
        }

        @Override
        public void onEnd() {
            Reading reading = new Reading();
            Fields fields = request.headers().toFields();
            for (int field = 0; field < fields.size(); field++) {
                reading.field(fields.name(field), fields.value(field));
            }
            read.add(reading.request(request.method().name(), request.target(), body.toByteArray()));
            client.head(200, new MutableFields(), true);
        }

        @Override
        public void onGone() {}
    }
}
