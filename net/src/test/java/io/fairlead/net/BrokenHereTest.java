package io.fairlead.net;

import static io.fairlead.net.Recorder.eventually;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.http.Transport;
import io.fairlead.net.UpstreamFailure.Kind;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.net.address.HostResolver;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is thrown on this side, an {@link Error} as well, is heard by its caller and by no other. */
final class BrokenHereTest {
    private final Rig rig = new Rig();
    private final EventLoopGroup loops = Transport.preferred().newGroup(1, "test-resolving");

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void requestThatCannotBeMade_isHeardByItsCallerAlone(String protocol) {
        Upstream upstream = rig.upstream(answering(protocol));
        Recorder broken = new Recorder();

        upstream.send(new RequestHead(HttpMethod.GET, "/ ", Fields.EMPTY, 0), Upstream.Kind.LONG_RUNNING, null, broken);
        Recorder sound = watch(upstream);

        assertThat(broken.failure())
                .isEqualTo(new UpstreamFailure(
                        Kind.RESET, "the request was broken off here: IllegalArgumentException", true));
        assertThat(sound.body()).isEqualTo("answer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void receiverThatThrowsAtTheHead_hearsAFailure(String protocol) {
        FailureReceiver throwing = new FailureReceiver() {
            @Override
            public void onHead(int status, MutableFields headers) {
                throw new StackOverflowError();
            }
        };

        rig.upstream(answering(protocol))
                .send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, throwing);

        eventually(throwing.failure::isDone);
    }

    @Test
    void receiverThatThrowsAtAFailure_keepsItFromNoOther() throws IOException {
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true)
                .open(new UpstreamSpec(List.of(Rig.unusedUrl()), Rig.PKI.caPem(), null, null, null));
        FailureReceiver throwing = new FailureReceiver() {
            @Override
            public void onFailure(UpstreamFailure why) {
                super.onFailure(why);
                throw new AssertionError("thrown on purpose");
            }
        };

        upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, throwing);
        Recorder behind = watch(upstream);

        eventually(throwing.failure::isDone);
        assertThat(behind.failure().kind()).isEqualTo(Kind.CONNECT);
    }

    @Test
    void resolverThatThrows_failsTheDial() {
        Upstream upstream = resolvingWith(
                host -> {
                    throw new StackOverflowError();
                },
                UpstreamLimits.defaults());

        assertThat(watch(upstream).failure())
                .isEqualTo(new UpstreamFailure(
                        Kind.CONNECT,
                        "https://api.example.com: connecting was broken off here: StackOverflowError",
                        false));
    }

    @Test
    void resolverThatNeverAnswers_failsTheDialInTime() {
        CompletableFuture<List<InetAddress>> never = new CompletableFuture<>();
        Upstream upstream =
                resolvingWith(host -> never, UpstreamLimits.defaults().withConnectTimeout(Duration.ofMillis(200)));

        assertThat(watch(upstream).failure())
                .isEqualTo(new UpstreamFailure(
                        Kind.UNKNOWN_HOST,
                        "https://api.example.com: the host \"api.example.com\" was not looked up within 200 ms",
                        false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://127.0.0.1:65536", "https://127.0.0.1:0"})
    void portThatIsNone_isRefusedAtOnce(String url) {
        UpstreamClient client = rig.client(UpstreamLimits.defaults(), true);

        assertThatThrownBy(() -> client.open(new UpstreamSpec(List.of(URI.create(url)), null, null, null, null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(url)
                .hasMessageContaining("a port from 1 to 65535");
    }

    private FakeServer answering(String protocol) {
        return rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, "answer");
            }
        });
    }

    private Upstream resolvingWith(HostResolver resolver, UpstreamLimits limits) {
        AddressPolicy policy = new AddressPolicy(List.of(), List.of(), true, List::of);
        UpstreamClient client = rig.opened(new UpstreamClient(loops, Transport.preferred(), policy, limits, resolver));
        return client.open(
                new UpstreamSpec(List.of(URI.create("https://api.example.com")), Rig.PKI.caPem(), null, null, null));
    }

    private static Recorder watch(Upstream upstream) {
        Recorder answer = new Recorder();
        upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, answer);
        return answer;
    }
}
