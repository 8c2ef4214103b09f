package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which connections are let in, and that no more are accepted than can be closed. */
class PlacesTest {
    private static final int MAX = Places.CLOSING_MAX + 2;
    private static final int PER_ADDRESS_MAX = 1;

    private final EmbeddedChannel listening = new EmbeddedChannel(new Places(
            new ConnectionQuota(
                    Limited.by(Map.of("limits.connectionsPerAddressMax", PER_ADDRESS_MAX))
                            .limits(),
                    MAX),
            ConnectionMeter.NONE));
    private final List<Client> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(EmbeddedChannel::finishAndReleaseAll);
        listening.finishAndReleaseAll();
    }

    @Test
    void connectionBeyondWhatItsAddressMayHave_isClosed_andTakesNoPlace() {
        Client first = accept(1);
        assertThat(placeOf(first).isTakenBy("jane")).isTrue();
        Client second = accept(1);

        assertThat(first.isOpen()).isTrue();
        assertThat(second.isOpen()).isFalse();
        assertThat(listening.inboundMessages()).containsExactly(first);

        first.close();
        assertThat(accept(1).isOpen()).isTrue();
    }

    @Test
    void strangerOfAnAddressThatMayHaveNoMore_makesRoomForTheNextOne() {
        Client another = accept(2);
        Client stranger = accept(1);
        Client next = accept(1);

        assertThat(Places.placeOf(stranger)).isNull();
        assertThat(placeOf(next).isTakenBy("jane")).isTrue();
        assertThat(Places.placeOf(another)).isNotNull();
    }

    @Test
    void connectionWhosePlaceWasTaken_hasNone_andIsClosedOnItsLoop() {
        for (int address = 0; address <= MAX; address++) {
            accept(address);
        }

        assertThat(Places.placeOf(clients.getFirst())).isNull();
        assertThat(Places.placeOf(clients.get(1))).isNotNull();
        assertThat(clients.getFirst().isOpen()).isTrue();
        clients.getFirst().runPendingTasks();
        assertThat(clients.getFirst().isOpen()).isFalse();
    }

    @Test
    void connectionsThatAreToClose_holdUpTheListener_untilOneIsClosed() {
        for (int address = 0; address < MAX; address++) {
            accept(address);
        }
        for (int more = 0; more < Places.CLOSING_MAX; more++) {
            assertThat(listening.config().isAutoRead()).isTrue();
            accept(MAX + more);
        }
        assertThat(listening.config().isAutoRead()).isFalse();

        clients.get(1).runPendingTasks();
        listening.runPendingTasks();

        assertThat(listening.config().isAutoRead()).isTrue();
    }

    private static Place placeOf(Client client) {
        return Objects.requireNonNull(Places.placeOf(client));
    }

    private Client accept(int address) {
        Client client = new Client(address);
        clients.add(client);
        listening.writeInbound(client);
        return client;
    }

    /** A connection from one of many addresses. */
    private static final class Client extends EmbeddedChannel {
        private final int address;

        Client(int address) {
            super(new ChannelInboundHandlerAdapter());
            this.address = address;
        }

        @Override
        public SocketAddress remoteAddress() {
            return new InetSocketAddress(
                    InetAddress.ofLiteral("192.0." + (2 + address / 200) + "." + address % 200), 40_000);
        }
    }
}
