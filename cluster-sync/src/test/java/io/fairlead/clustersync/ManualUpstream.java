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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections to a server whose answers a test writes, call by call and piece by piece, on an event loop whose time it lets
 * pass. Of one thread.
 */
public final class ManualUpstream implements Upstream {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<Call> calls = new ArrayList<>();
    private final List<UpstreamSpec> specs = new ArrayList<>();
    private Consumer<Call> whenCalled = _ -> {};
    private boolean closed;

    public ManualUpstream() {
        channel.freezeTime();
    }

    /** What every call from now on meets at once, before its caller can use it. */
    public void whenCalled(Consumer<Call> server) {
        whenCalled = server;
    }

    public List<Call> calls() {
        return List.copyOf(calls);
    }

    /** Those for a path, whatever their query. */
    public List<Call> calls(String path) {
        return calls.stream().filter(call -> call.path().equals(path)).toList();
    }

    /** What the connections were to be made by from then on. */
    public List<UpstreamSpec> specs() {
        return specs;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Lets time pass on the event loop. */
    public void pass(Duration time) {
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    /** Whether the event loop has something to do later. */
    public boolean hasTimer() {
        return channel.runScheduledPendingTasks() >= 0;
    }

    @Override
    public Exchange send(RequestHead head, Kind kind, @Nullable EventLoop preferred, ResponseReceiver receiver) {
        Call call = new Call(head, kind, receiver);
        calls.add(call);
        whenCalled.accept(call);
        return call;
    }

    @Override
    public Exchange upgrade(RequestHead head, String protocols, EventLoop loop, UpgradeReceiver receiver) {
        throw new AssertionError("nothing is upgraded here");
    }

    @Override
    public void reconfigure(UpstreamSpec spec) {
        specs.add(spec);
    }

    @Override
    public void close() {
        closed = true;
    }

    /** A request, as the server has it. */
    public final class Call implements Exchange {
        private final RequestHead head;
        private final Kind kind;
        private final ResponseReceiver receiver;
        private final StringBuilder body = new StringBuilder();
        private boolean ended;
        private boolean reading = true;
        private boolean cancelled;

        private Call(RequestHead head, Kind kind, ResponseReceiver receiver) {
            this.head = head;
            this.kind = kind;
            this.receiver = receiver;
        }

        public RequestHead head() {
            return head;
        }

        public String path() {
            return head.target().replaceFirst("\\?.*", "");
        }

        public Kind kind() {
            return kind;
        }

        /** What came of its body. */
        public String body() {
            return body.toString();
        }

        public boolean isEnded() {
            return ended;
        }

        /** Whether its answer is read as it comes. */
        public boolean isReading() {
            return reading;
        }

        public boolean isCancelled() {
            return cancelled;
        }

        /** A whole answer. */
        public void answer(int status, String... pieces) {
            begin(status);
            for (String piece : pieces) {
                say(piece);
            }
            finish();
        }

        public void begin(int status, MutableFields headers) {
            receiver.onHead(status, headers);
        }

        public void begin(int status) {
            begin(status, new MutableFields());
        }

        public void say(String piece) {
            say(piece.getBytes(UTF_8));
        }

        public void say(byte[] piece) {
            ByteBuf data = Unpooled.copiedBuffer(piece);
            receiver.onData(data);
            if (data.refCnt() != 0) {
                throw new AssertionError("a piece of the body was not released");
            }
        }

        public void finish() {
            receiver.onEnd();
        }

        public void fail(UpstreamFailure failure) {
            receiver.onFailure(failure);
        }

        @Override
        public EventLoop eventLoop() {
            return channel.eventLoop();
        }

        @Override
        public void write(ByteBuf data) {
            body.append(data.toString(UTF_8));
            data.release();
        }

        @Override
        public void end() {
            ended = true;
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void reading(boolean on) {
            reading = on;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }
}
