package io.fairlead.clustersync.fabric8;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fairlead.clustersync.ManualUpstream;
import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.http.FieldName;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of fabric8's requests on their way to a server. */
class NettyHttpClientTest {
    private final ManualUpstream upstream = new ManualUpstream();
    private final List<String> asked = new ArrayList<>();
    private ListLimiter.@Nullable Turn turn;
    private @Nullable String token = "t0ken";
    private final NettyHttpClient client = (NettyHttpClient) new NettyHttpClientFactory(
                    upstream,
                    () -> token,
                    Runnable::run,
                    new BodyLimits(
                            new AnswerLimits(10, 10, 10, AnswerLimits.Kept.ofAll(10), _ -> {}),
                            Duration.ofHours(1),
                            new WatchPace()),
                    WatchObserver.NONE,
                    (path, firstPage) -> {
                        asked.add(path + (firstPage ? " first" : " next"));
                        return turn;
                    })
            .newBuilder()
            .build();

    @Test
    void request_isSentAsItIs_withTheCredential() {
        send("https://cluster.invalid/apis/x%2Fy?a=%20b", request -> request.header("Accept", "text/plain"));

        ManualUpstream.Call call = only();
        assertThat(call.head().method().name()).isEqualTo("GET");
        assertThat(call.head().target()).isEqualTo("/apis/x%2Fy?a=%20b");
        assertThat(call.head().contentLength()).isZero();
        assertThat(call.head().fields().get(FieldName.ACCEPT)).isEqualTo("text/plain");
        assertThat(call.head().fields().all(FieldName.AUTHORIZATION)).containsExactly("Bearer t0ken");
        assertThat(call.head().fields().contains(FieldName.CONTENT_TYPE)).isFalse();
        assertThat(call.kind()).isEqualTo(Upstream.Kind.SHORT);
        assertThat(call.isEnded()).as("there is no body to end").isFalse();
    }

    @Test
    void requestWithoutAQuery_orAToken_hasNone() {
        token = null;

        send("https://cluster.invalid/version", request -> request);

        assertThat(only().head().target()).isEqualTo("/version");
        assertThat(only().head().fields().contains(FieldName.AUTHORIZATION)).isFalse();
    }

    @Test
    void agentAndOrigin_areNotFabric8s() {
        send(
                "https://cluster.invalid/version",
                request -> request.header("User-Agent", "fabric8").header("Origin", "https://elsewhere"));

        assertThat(only().head().fields().all(FieldName.USER_AGENT)).containsExactly("fairlead");
        assertThat(only().head().fields().contains(FieldName.ORIGIN)).isFalse();
    }

    @Test
    void body_isSentWithItsLengthAndType_andEnded() {
        send(
                "https://cluster.invalid/x",
                request -> request.method("PATCH", "application/merge-patch+json", "{\"ä\":1}"));
        send("https://cluster.invalid/x", request -> request.post("application/json", "{}".getBytes(UTF_8)));

        ManualUpstream.Call patch = upstream.calls().getFirst();
        assertThat(patch.head().method().name()).isEqualTo("PATCH");
        assertThat(patch.head().fields().get(FieldName.CONTENT_TYPE)).isEqualTo("application/merge-patch+json");
        assertThat(patch.head().contentLength()).isEqualTo(8);
        assertThat(patch.body()).isEqualTo("{\"ä\":1}");
        assertThat(patch.isEnded()).isTrue();
        ManualUpstream.Call post = upstream.calls().getLast();
        assertThat(post.head().contentLength()).isEqualTo(2);
        assertThat(post.body()).isEqualTo("{}");
        assertThat(post.isEnded()).isTrue();
    }

    @Test
    void bodyOfAStream_isNotOffered() {
        assertThatThrownBy(() -> send(
                        "https://cluster.invalid/x",
                        request -> request.method("PUT", "text/plain", new ByteArrayInputStream(new byte[1]), 1)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("memory");
        assertThat(upstream.calls()).isEmpty();
    }

    @Test
    void watch_isLongRunning_andOfNoList() {
        send("https://cluster.invalid/crds?watch=true", HttpRequest.Builder::forStreaming);

        assertThat(only().kind()).isEqualTo(Upstream.Kind.LONG_RUNNING);
        assertThat(asked).isEmpty();
    }

    @Test
    void page_belongsToTheListOfItsPath() {
        send("https://cluster.invalid/crds", request -> request);
        send("https://cluster.invalid/crds?limit=3", request -> request);
        send("https://cluster.invalid/crds?limit=3&continue=x", request -> request);

        assertThat(asked).containsExactly("/crds first", "/crds first", "/crds next");
        assertThat(upstream.calls()).hasSize(3);
    }

    @Test
    void page_isSentOnceItsListHasAPlace() {
        ListLimiter turns = turns();
        ListLimiter.Turn other = turns.take(true);
        turn = turns.take(true);

        CompletableFuture<HttpResponse<AsyncBody>> answer = send("https://cluster.invalid/crds", request -> request);

        assertThat(upstream.calls()).isEmpty();
        other.end();
        only().answer(200);
        assertThat(answer.join().code()).isEqualTo(200);
    }

    @Test
    void page_ofAListThatIsGivenUpBeforeItsTurn_isNeverSent() {
        ListLimiter turns = turns();
        turns.take(true);
        ListLimiter.Turn waiting = turns.take(true);
        turn = waiting;
        CompletableFuture<HttpResponse<AsyncBody>> answer = send("https://cluster.invalid/crds", request -> request);

        waiting.end();

        assertThat(upstream.calls()).isEmpty();
        assertThat(answer).isCompletedExceptionally();
        UpstreamFailure failure = Objects.requireNonNull(UpstreamException.in(answer.exceptionNow()));
        assertThat(failure.kind()).isEqualTo(UpstreamFailure.Kind.CLOSED);
        assertThat(failure.message()).isEqualTo("the list of /crds was given up");
        assertThat(failure.requestReached()).isFalse();
    }

    @Test
    void webSockets_areNotOffered() {
        CompletableFuture<WebSocket> socket = client.newWebSocketBuilder()
                .uri(URI.create("https://cluster.invalid/x"))
                .buildAsync(new WebSocket.Listener() {});

        assertThat(socket).isCompletedExceptionally();
        assertThat(socket.exceptionNow()).isInstanceOf(UnsupportedOperationException.class);
        assertThat(upstream.calls()).isEmpty();
    }

    @Test
    void derivedClient_isClosedWithTheOneItComesFrom() {
        NettyHttpClient derived = (NettyHttpClient) client.newBuilder().build();
        NettyHttpClient other = (NettyHttpClient) new NettyHttpClientFactory(
                        upstream,
                        () -> null,
                        Runnable::run,
                        new BodyLimits(
                                new AnswerLimits(10, 10, 10, AnswerLimits.Kept.ofAll(10), _ -> {}),
                                Duration.ofHours(1),
                                new WatchPace()),
                        WatchObserver.NONE,
                        (_, _) -> null)
                .newBuilder()
                .build();

        client.close();

        assertThat(derived.isClosed()).isTrue();
        assertThat(other.isClosed()).isFalse();
        assertThat(upstream.isClosed()).as("the connections are the cluster's").isFalse();
    }

    private CompletableFuture<HttpResponse<AsyncBody>> send(String uri, UnaryOperator<HttpRequest.Builder> parts) {
        StandardHttpRequest request = (StandardHttpRequest)
                parts.apply(new StandardHttpRequest.Builder().uri(uri)).build();
        return client.consumeBytesDirect(request, (_, _) -> {});
    }

    private ManualUpstream.Call only() {
        assertThat(upstream.calls()).hasSize(1);
        return upstream.calls().getFirst();
    }

    private static ListLimiter turns() {
        return new ListLimiter(
                1,
                new ListLimiter.Timer() {
                    @Override
                    public long nanoTime() {
                        return 0;
                    }

                    @Override
                    public void after(long nanos, Runnable task) {}
                },
                Runnable::run);
    }
}
