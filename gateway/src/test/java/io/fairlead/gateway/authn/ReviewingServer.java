package io.fairlead.gateway.authn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.MutableFields;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.UpgradeReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server whose answers a test writes. */
final class ReviewingServer implements Upstream {
    private final EventLoop loop;

    final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();

    /** After which time it says of every token that it is of no user; null for a test that answers itself. */
    volatile @Nullable Duration answered;

    Call next() throws InterruptedException {
        Call call = calls.poll(10, TimeUnit.SECONDS);
        assertThat(call).as("a review").isNotNull();
        return Objects.requireNonNull(call);
    }

    ReviewingServer(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public Exchange send(RequestHead head, Kind kind, @Nullable EventLoop preferredLoop, ResponseReceiver receiver) {
        Call call = new Call(receiver);
        assertThat(head.target()).isEqualTo("/apis/authentication.k8s.io/v1/tokenreviews");
        return call;
    }

    @Override
    public Exchange upgrade(RequestHead head, String protocols, EventLoop on, UpgradeReceiver receiver) {
        throw new AssertionError("an upgrade");
    }

    @Override
    public void reconfigure(UpstreamSpec spec) {}

    @Override
    public void close() {}

    final class Call implements Exchange {
        private final ResponseReceiver receiver;
        private final List<String> body = new ArrayList<>();

        Call(ResponseReceiver receiver) {
            this.receiver = receiver;
        }

        String body() {
            return String.join("", body);
        }

        void answer(int status, String text) {
            loop.execute(() -> {
                receiver.onHead(status, new MutableFields());
                receiver.onData(Unpooled.copiedBuffer(text, UTF_8));
                receiver.onEnd();
            });
        }

        @Override
        public EventLoop eventLoop() {
            return loop;
        }

        @Override
        public void write(ByteBuf data) {
            body.add(data.toString(UTF_8));
            data.release();
        }

        @Override
        public void end() {
            Duration after = answered;
            if (after == null) {
                calls.add(this);
            } else {
                var _ = loop.schedule(() -> answer(201, "{}"), after.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

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
