package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.clustersync.ManualUpstream;
import io.fairlead.clustersync.source.TestSettings;
import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.UpgradeReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a census costs when the API server means harm. */
@Timeout(60)
class CensusesTest {
    private final EventLoop loop = new DefaultEventLoop();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger asked = new AtomicInteger();

    @AfterEach
    void close() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        scheduler.shutdownNow();
    }

    @Test
    void pages_areOneCensus() throws Exception {
        Census census = take(page -> page(item("a" + page, "1"), page < 3 ? "next" : ""))
                .get(10, TimeUnit.SECONDS);

        assertThat(census.versions()).hasSize(3);
        assertThat(census.resourceVersion()).isEqualTo("7");
    }

    @Test
    void pages_areAskedForOneAfterTheOther_andTheirPlaceGivenBack() {
        ManualUpstream upstream = new ManualUpstream();
        ListLimiter turns = new ListLimiter(1, ListLimiter.Timer.of(scheduler), Runnable::run);
        CompletableFuture<Census> census =
                new Censuses(upstream, () -> "t0ken", TestSettings.patient(), turns, Runnable::run).take("/ys");
        assertThat(turns.heldCount()).isEqualTo(1);

        upstream.calls().getLast().answer(200, page(item("a", "1"), "next"));
        upstream.calls().getLast().answer(200, page(item("b", "1"), ""));

        assertThat(upstream.calls())
                .extracting(call -> call.head().target())
                .containsExactly("/ys?limit=100", "/ys?limit=100&continue=next");
        assertThat(upstream.calls())
                .allSatisfy(call -> assertThat(call.head().fields().get(FieldName.AUTHORIZATION))
                        .isEqualTo("Bearer t0ken"));
        assertThat(census.join().versions()).hasSize(2);
        assertThat(turns.heldCount()).isZero();
    }

    @Test
    void textInAnObject_isNotTakenForOthers() throws Exception {
        String text = "\\\"" + ",{[".repeat(200_000);

        Census census = take(page ->
                        page("{\"metadata\":{\"name\":\"a\",\"annotations\":{\"a\":\"" + text + "\"}}}", ""))
                .get(10, TimeUnit.SECONDS);

        assertThat(census.versions()).hasSize(1);
    }

    @Test
    void pagesWithoutEnd_areGivenUp() {
        assertFails(page -> page("", "next"), "does not come to an end");
        assertThat(asked).hasValue(1);
    }

    @Test
    void pagesThatRepeatThemselves_areGivenUp() {
        assertFails(page -> page(item("a", "1"), "next"), "does not come to an end");
        assertThat(asked).hasValue(2);
    }

    @Test
    void pageOfEmptyObjects_isNotMadeATree() {
        assertFails(page -> page("{},".repeat(1_000_000) + "{}", ""), "larger than a list of metadata may be");
    }

    @Test
    void namesWithoutMeasure_areNotKept() {
        assertFails(page -> page(item("a".repeat(2_000), "1"), "next"), "names what no API server names");
    }

    @Test
    void pagesThatAreLargeTogether_areGivenUp() {
        String large = "a".repeat(7_000_000);
        assertFails(
                page -> page(
                        "{\"metadata\":{\"name\":\"a" + page + "\",\"annotations\":{\"a\":\"" + large + "\"}}}",
                        "next"),
                "larger than a list of metadata may be");
        assertThat(asked).hasValue(10);
    }

    private void assertFails(IntFunction<String> pages, String why) {
        assertThatThrownBy(() -> take(pages).get(30, TimeUnit.SECONDS)).hasMessageContaining(why);
    }

    /** Pages are counted from 1. */
    private CompletableFuture<Census> take(IntFunction<String> pages) {
        ListLimiter turns = new ListLimiter(1, ListLimiter.Timer.of(scheduler), Runnable::run);
        return new Censuses(new Paged(pages), () -> null, TestSettings.patient(), turns, loop).take("/apis/x/v1/ys");
    }

    private static String item(String name, String version) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"uid\":\"u\",\"resourceVersion\":\"" + version + "\"}}";
    }

    private static String page(String items, String token) {
        return "{\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\"" + token + "\"},\"items\":[" + items + "]}";
    }

    /** An API server that answers with one page after the other. */
    private final class Paged implements Upstream {
        private final IntFunction<String> pages;

        Paged(IntFunction<String> pages) {
            this.pages = pages;
        }

        @Override
        public Exchange send(RequestHead head, Kind kind, @Nullable EventLoop preferred, ResponseReceiver receiver) {
            loop.execute(() -> {
                receiver.onHead(200, new MutableFields());
                receiver.onData(Unpooled.copiedBuffer(pages.apply(asked.incrementAndGet()), StandardCharsets.UTF_8));
                receiver.onEnd();
            });
            return new Answered();
        }

        @Override
        public Exchange upgrade(RequestHead head, String protocols, EventLoop unused, UpgradeReceiver receiver) {
            throw new IllegalStateException("a census upgrades nothing");
        }

        @Override
        public void reconfigure(UpstreamSpec spec) {}

        @Override
        public void close() {}
    }

    private final class Answered implements Exchange {
        @Override
        public EventLoop eventLoop() {
            return loop;
        }

        @Override
        public void write(ByteBuf data) {
            data.release();
        }

        @Override
        public void end() {}

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void reading(boolean on) {}

        @Override
        public void cancel() {}
    }
}
