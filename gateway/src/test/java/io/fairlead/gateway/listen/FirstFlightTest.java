package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.limits.Limit;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a connection before its handshake. */
class FirstFlightTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final AddressBlock ADDRESS = AddressBlock.of(InetAddress.ofLiteral("192.0.2.1"));

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> told = new ArrayList<>();
    private final List<Duration> begun = new ArrayList<>();
    private final ByteBudget unparsed = new ByteBudget(Long.MAX_VALUE, System::nanoTime);

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void connectionThatSendsNothing_isClosed_andCounted() {
        channel.freezeTime();
        channel.pipeline().addLast(firstFlight());

        channel.advanceTimeBy(TIMEOUT.toSeconds() + 1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isFalse();
        assertThat(told).containsExactly("HANDSHAKE_TIMEOUT", "failed");
        assertThat(begun).isEmpty();
    }

    @Test
    void firstBytes_areHandedToTheHandshake_whichHasWhatIsLeftOfTheTime() {
        channel.pipeline().addLast(firstFlight());

        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {22, 3, 1}));
        channel.runScheduledPendingTasks();

        ByteBuf first = channel.readInbound();
        assertThat(first.readableBytes()).isEqualTo(3);
        first.release();
        assertThat(begun).singleElement().satisfies(left -> assertThat(left).isLessThanOrEqualTo(TIMEOUT));
        assertThat(channel.pipeline().get(FirstFlight.class)).isNull();
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(unparsed.total()).isZero();
        assertThat(told).isEmpty();
    }

    @Test
    void moreBytesBeforeItsTurn_areKeptForTheHandshake() {
        EmbeddedChannel busy = new EmbeddedChannel();
        channel.pipeline().addLast(firstFlight(new Turns(busy.eventLoop())));

        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {22, 3, 1}));
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {0, 5}));
        assertThat(channel.inboundMessages()).isEmpty();
        assertThat(unparsed.total()).isEqualTo(5);
        busy.runScheduledPendingTasks();

        ByteBuf all = channel.readInbound();
        assertThat(all.readableBytes()).isEqualTo(5);
        all.release();
    }

    @Test
    void connectionThatIsClosedBeforeItsTurn_isForgotten() {
        Turns neverYet = new Turns(new EmbeddedChannel().eventLoop());
        channel.pipeline().addLast(firstFlight(neverYet));
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {22, 3, 1}));
        assertThat(unparsed.total()).isPositive();

        channel.close();

        assertThat(begun).isEmpty();
        assertThat(told).containsExactly("failed");
        assertThat(unparsed.total()).isZero();
    }

    private FirstFlight firstFlight() {
        return firstFlight(new Turns(channel.eventLoop()));
    }

    private FirstFlight firstFlight(Turns turns) {
        ConnectionMeter meter = new ConnectionMeter() {
            @Override
            public void reached(Limit limit) {
                told.add(limit.name());
            }

            @Override
            public void handshakeFailed() {
                told.add("failed");
            }
        };
        return new FirstFlight(
                ADDRESS, turns, unparsed.part(() -> {}), meter, TIMEOUT, (ctx, timeout) -> begun.add(timeout));
    }
}
