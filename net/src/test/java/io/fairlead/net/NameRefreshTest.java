package io.fairlead.net;

import static io.fairlead.net.Recorder.eventually;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.text;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.fairlead.http.Transport;
import io.fairlead.net.UpstreamFailure.Kind;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.net.address.Cidr;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A name that stands for other addresses while connections are open. */
final class NameRefreshTest {
    private static final String SERVER = "127.0.0.1";
    private static final String ELSEWHERE = "127.0.0.2";
    private static final String DENIED = "127.0.0.3";

    private final Rig rig = new Rig();
    private final EventLoopGroup loops = Transport.preferred().newGroup(1, "test-names");
    private final AtomicInteger lookUps = new AtomicInteger();
    private volatile boolean isBroken;
    private volatile List<InetAddress> addresses = of(SERVER);
    private final FakeServer server = rig.server("h2", (ctx, piece) -> {
        if (piece instanceof HttpRequest request && request.uri().equals("/watch")) {
            ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Rig.chunked(ctx)));
        } else if (piece instanceof HttpRequest) {
            text(ctx, 200, "found");
        }
    });

    private final Upstream upstream = upstream();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly();
    }

    @Test
    void connectionsToAnAddressOfBefore_endWithTheirRequests() {
        Recorder watch = watch();
        assertThat(Rig.get(upstream, "/").body()).isEqualTo("found");
        assertThat(server.connections()).isEqualTo(2);

        addresses = of(ELSEWHERE);

        eventually(() -> server.connections() == 1);
        assertThat(watch.isOver()).as("the watch").isFalse();
        assertThat(Rig.get(upstream, "/").failure().kind()).isEqualTo(Kind.CONNECT);
    }

    @Test
    void addressThatIsStillOneOfSeveral_isKept() {
        assertThat(Rig.get(upstream, "/").body()).isEqualTo("found");

        addresses = of(ELSEWHERE, SERVER);

        lookUpTwice();
        assertThat(server.connections()).isEqualTo(1);
    }

    /** Those that stand lead to what was allowed; no other is made. */
    @Test
    void nameThatStandsForADeniedAddress_leadsNoNewConnectionThere() {
        assertThat(Rig.get(upstream, "/").body()).isEqualTo("found");

        addresses = of(DENIED);

        lookUpTwice();
        assertThat(Rig.get(upstream, "/").body()).isEqualTo("found");
        assertThat(watchFailure().kind()).isEqualTo(Kind.ADDRESS_DENIED);
    }

    @Test
    void nameThatIsNotFound_endsNoConnection() {
        assertThat(Rig.get(upstream, "/").body()).isEqualTo("found");

        addresses = List.of();

        lookUpTwice();
        assertThat(Rig.get(upstream, "/").body()).isEqualTo("found");
    }

    @Test
    void upstreamThatIsClosed_looksNothingUp() {
        assertThat(Rig.get(upstream, "/").body()).isEqualTo("found");
        lookUpTwice();

        upstream.close();

        eventually(() -> server.connections() == 0);
        int before = lookUps.get();
        loops.next()
                .schedule(() -> {}, 300, java.util.concurrent.TimeUnit.MILLISECONDS)
                .awaitUninterruptibly();
        assertThat(lookUps.get()).isLessThanOrEqualTo(before + 1);
    }

    @Test
    void resolverThatThrows_isAskedAgain() {
        assertThat(Rig.get(upstream, "/").body()).isEqualTo("found");
        isBroken = true;
        lookUpTwice();
        isBroken = false;

        addresses = of(ELSEWHERE);

        eventually(() -> server.connections() == 0);
    }

    private void lookUpTwice() {
        int before = lookUps.get();
        eventually(() -> lookUps.get() > before + 2);
    }

    private Recorder watch() {
        Recorder answer = new Recorder();
        upstream.send(head(HttpMethod.GET, "/watch", 0), Upstream.Kind.LONG_RUNNING, null, answer);
        assertThat(answer.status()).isEqualTo(200);
        return answer;
    }

    private UpstreamFailure watchFailure() {
        Recorder answer = new Recorder();
        upstream.send(head(HttpMethod.GET, "/watch", 0), Upstream.Kind.LONG_RUNNING, null, answer);
        return answer.failure();
    }

    private Upstream upstream() {
        AddressPolicy policy = new AddressPolicy(List.of(), List.of(Cidr.parse(DENIED + "/32")), true, List::of);
        EndpointLimits often =
                new EndpointLimits(Duration.ofSeconds(5), Duration.ofSeconds(5), 2, 1, 3, Duration.ofMillis(20));
        UpstreamClient client = rig.opened(new UpstreamClient(
                loops, Transport.preferred(), policy, UpstreamLimits.defaults().withEndpoints(often), _ -> {
                    lookUps.incrementAndGet();
                    if (isBroken) {
                        throw new StackOverflowError("of a test");
                    }
                    List<InetAddress> now = addresses;
                    return now.isEmpty() ? failedFuture(new UnknownHostException()) : completedFuture(now);
                }));
        URI url = URI.create("https://localhost:" + server.address().getPort());
        UpstreamSpec spec = new UpstreamSpec(List.of(url), Rig.PKI.caPem(), null, null, null);
        return rig.opened(client.openProbed(spec, ConnectionMetrics.NONE));
    }

    private static List<InetAddress> of(String... literals) {
        return Arrays.stream(literals).map(InetAddress::ofLiteral).toList();
    }
}
