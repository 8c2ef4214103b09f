package io.fairlead.net;

import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.text;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.Transport;
import io.fairlead.net.UpstreamFailure.Kind;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.net.address.Cidr;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpRequest;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The addresses that a name stands for are tried in turn, as long as none can be connected to. */
final class NamedEndpointTest {
    private static final String NONE_LISTENS = "127.0.0.2";
    private static final String DENIED = "127.0.0.3";
    private static final String SERVER = "127.0.0.1";

    private final Rig rig = new Rig();
    private final EventLoopGroup loops = Transport.preferred().newGroup(1, "test-names");
    private final FakeServer server = rig.server("h2", (ctx, piece) -> {
        if (piece instanceof HttpRequest) {
            text(ctx, 200, "found");
        }
    });
    private final URI url = URI.create("https://localhost:" + server.address().getPort());

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly();
    }

    @Test
    void addressThatCanBeConnectedTo_isFoundBehindOthers() {
        assertThat(getFrom(NONE_LISTENS, DENIED, SERVER).body()).isEqualTo("found");
    }

    @Test
    void lastAddress_isTheOneThatIsToldOf() {
        assertThat(getFrom(DENIED, NONE_LISTENS).failure())
                .isEqualTo(new UpstreamFailure(Kind.CONNECT, url + " refuses connections", false));
        assertThat(getFrom(NONE_LISTENS, DENIED).failure().kind()).isEqualTo(Kind.ADDRESS_DENIED);
    }

    @Test
    void fifthAddress_isNotTried() {
        assertThat(getFrom(NONE_LISTENS, NONE_LISTENS, NONE_LISTENS, SERVER).body())
                .isEqualTo("found");
        assertThat(getFrom(NONE_LISTENS, NONE_LISTENS, NONE_LISTENS, NONE_LISTENS, SERVER)
                        .failure()
                        .kind())
                .isEqualTo(Kind.CONNECT);
    }

    @Test
    void nameWithoutAnAddress_isUnknown() {
        assertThat(getFrom().failure().kind()).isEqualTo(Kind.UNKNOWN_HOST);
    }

    private Recorder getFrom(String... addresses) {
        List<InetAddress> all =
                Arrays.stream(addresses).map(InetAddress::ofLiteral).toList();
        AddressPolicy policy = new AddressPolicy(List.of(), List.of(Cidr.parse(DENIED + "/32")), true, List::of);
        UpstreamClient client = rig.opened(new UpstreamClient(
                loops, Transport.preferred(), policy, UpstreamLimits.defaults(), _ -> completedFuture(all)));
        return get(rig.opened(client.open(new UpstreamSpec(List.of(url), Rig.PKI.caPem(), null, null, null))), "/");
    }
}
