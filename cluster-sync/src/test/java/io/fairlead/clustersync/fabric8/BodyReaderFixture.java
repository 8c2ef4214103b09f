package io.fairlead.clustersync.fabric8;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fairlead.clustersync.ManualScheduler;
import io.fairlead.clustersync.ManualUpstream;
import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.net.UpstreamFailure;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A reader whose upstream, scheduler and consumer are a test's own. */
abstract class BodyReaderFixture {
    static final String CRDS = "/crds";
    static final Duration HOUR = Duration.ofHours(1);
    /** Over before anything can be asked: whatever is waited for counts as stalled once its timer goes off. */
    static final Duration INSTANT = Duration.ofNanos(1);

    static final Duration SECOND = Duration.ofSeconds(1);
    static final int PAGE_BYTES_MAX = 10;
    static final int LIST_BYTES_MAX = 15;
    static final int EVENT_BYTES_MAX = 8;
    static final UpstreamFailure RESET = new UpstreamFailure(UpstreamFailure.Kind.RESET, "of a test", true);

    final ManualUpstream upstream = new ManualUpstream();
    final ManualScheduler scheduler = new ManualScheduler();
    final ListLimiter turns = new ListLimiter(1, timer(), Runnable::run);
    final List<String> got = new ArrayList<>();
    final List<String> reached = new ArrayList<>();
    final List<String> watched = new ArrayList<>();
    final WatchPace watchPace = new WatchPace();
    Duration stallTimeout = HOUR;
    ListLimiter.@Nullable Turn turn;
    AsyncBody.Consumer<List<ByteBuffer>> consumer = (batch, _) -> got.add(text(batch));

    /** A list's answer whose head came. */
    AsyncBody begun() {
        CompletableFuture<HttpResponse<AsyncBody>> response = list();
        call().begin(200);
        return response.join().body();
    }

    AsyncBody watching() {
        CompletableFuture<HttpResponse<AsyncBody>> response = watch();
        call().begin(200);
        return response.join().body();
    }

    CompletableFuture<HttpResponse<AsyncBody>> list() {
        return client().consumeBytesDirect(
                        (StandardHttpRequest) new StandardHttpRequest.Builder()
                                .uri("https://cluster.invalid" + CRDS)
                                .build(),
                        (batch, body) -> consumer.consume(batch, body));
    }

    CompletableFuture<HttpResponse<AsyncBody>> watch() {
        return client().consumeBytesDirect(
                        (StandardHttpRequest) new StandardHttpRequest.Builder()
                                .uri("https://cluster.invalid" + CRDS + "?watch=true&resourceVersion=7")
                                .forStreaming()
                                .build(),
                        (batch, body) -> consumer.consume(batch, body));
    }

    NettyHttpClient client() {
        return (NettyHttpClient) new NettyHttpClientFactory(
                        upstream,
                        () -> null,
                        Runnable::run,
                        new BodyLimits(
                                new AnswerLimits(
                                        PAGE_BYTES_MAX,
                                        LIST_BYTES_MAX,
                                        EVENT_BYTES_MAX,
                                        AnswerLimits.Kept.ofAll(1),
                                        reached::add),
                                stallTimeout,
                                watchPace),
                        new Observed(),
                        (_, _) -> turn)
                .newBuilder()
                .build();
    }

    ManualUpstream.Call call() {
        return upstream.calls().getLast();
    }

    ListLimiter.Timer timer() {
        return new ListLimiter.Timer() {
            @Override
            public long nanoTime() {
                return scheduler.nanoTime();
            }

            @Override
            public void after(long nanos, Runnable task) {
                var _ = scheduler.schedule(task, nanos, TimeUnit.NANOSECONDS);
            }
        };
    }

    static UpstreamFailure failure(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return Objects.requireNonNull(UpstreamException.in(future.exceptionNow()));
    }

    static String text(List<ByteBuffer> batch) {
        StringBuilder text = new StringBuilder();
        batch.forEach(piece -> text.append(UTF_8.decode(piece)));
        return text.toString();
    }

    /** Writes down what an observer hears of {@code /crds}. */
    final class Observed implements WatchObserver {
        @Override
        public void stands(String path) {
            note(path, "stands");
        }

        @Override
        public void opened(String path, String resourceVersion) {
            note(path, "opened at " + resourceVersion);
        }

        @Override
        public void heard(String path) {
            note(path, "heard");
        }

        @Override
        public void ended(String path, boolean stood, boolean orderly) {
            note(path, "ended" + (stood ? " stood" : "") + (orderly ? " orderly" : ""));
        }

        @Override
        public void closed(String path) {
            note(path, "closed");
        }

        private void note(String path, String what) {
            assertThat(path).isEqualTo(CRDS);
            watched.add(what);
        }
    }
}
