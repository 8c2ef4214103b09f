package io.fairlead.clustersync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.http.MutableFields;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.UpgradeReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.UpstreamSpec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Connections to a server whose answers a test writes, on an event loop whose time it lets pass. */
public final class AskedUpstream implements Upstream {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<RequestHead> heads = new ArrayList<>();
    private final List<ResponseReceiver> receivers = new ArrayList<>();
    private int cancelled;
    private Runnable whenAsked = () -> {};

    public AskedUpstream() {
        channel.freezeTime();
    }

    /** The requests that were sent. */
    public List<RequestHead> heads() {
        return heads;
    }

    /** How often a request was given up. */
    public int cancelledCount() {
        return cancelled;
    }

    /** What happens as a request is sent. */
    public void whenAsked(Runnable action) {
        whenAsked = action;
    }

    /** Answers the last request. */
    public void answer(int status, String... body) {
        receivers.getLast().onHead(status, new MutableFields());
        for (String piece : body) {
            ByteBuf data = Unpooled.copiedBuffer(piece, UTF_8);
            receivers.getLast().onData(data);
            if (data.refCnt() != 0) {
                throw new AssertionError("a piece of the body was not released");
            }
        }
        receivers.getLast().onEnd();
    }

    /** Fails the last request. */
    public void fail(UpstreamFailure failure) {
        receivers.getLast().onFailure(failure);
    }

    /** Lets time pass on the event loop. */
    public void pass(Duration time) {
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    /** Whether a deadline is still to come. */
    public boolean hasDeadline() {
        return channel.runScheduledPendingTasks() >= 0;
    }

    @Override
    public Exchange send(RequestHead head, Kind kind, @Nullable EventLoop preferred, ResponseReceiver receiver) {
        if (kind == Kind.LONG_RUNNING) {
            throw new AssertionError(kind);
        }
        heads.add(head);
        receivers.add(receiver);
        whenAsked.run();
        return new Asked();
    }

    @Override
    public Exchange upgrade(RequestHead head, String protocols, EventLoop loop, UpgradeReceiver receiver) {
        throw new AssertionError("nothing is upgraded here");
    }

    @Override
    public void reconfigure(UpstreamSpec spec) {}

    @Override
    public void close() {}

    private final class Asked implements Exchange {
        @Override
        public EventLoop eventLoop() {
            return channel.eventLoop();
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
        public void cancel() {
            cancelled++;
        }
    }
}
