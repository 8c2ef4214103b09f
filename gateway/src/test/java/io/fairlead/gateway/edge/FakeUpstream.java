package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An upstream whose answers, back-pressure and failures a test plays itself. */
final class FakeUpstream implements Upstream {
    private static final int TIMEOUT_SECONDS = 10;

    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private volatile boolean taking = true;
    private volatile long answerMillis = -1;

    @Override
    public Exchange send(RequestHead head, Kind kind, @Nullable EventLoop preferredLoop, ResponseReceiver receiver) {
        if (preferredLoop == null) {
            throw new IllegalStateException("expected the client's event loop");
        }
        Call call = new Call(head, kind, preferredLoop, receiver);
        call.writable = taking;
        if (answerMillis >= 0) {
            preferredLoop.schedule(call::finish, answerMillis, TimeUnit.MILLISECONDS);
        } else {
            calls.add(call);
        }
        return call;
    }

    /** Answers further requests well by itself, after so long. */
    void answerAfter(long millis) {
        answerMillis = millis;
    }

    /** Takes nothing of the bodies of further requests until it is told otherwise. */
    void holdBodies() {
        taking = false;
    }

    /** Whether a request came that was not looked at yet. */
    boolean isAsked() {
        return !calls.isEmpty();
    }

    Call next() throws InterruptedException {
        Call call = calls.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (call == null) {
            throw new AssertionError("no request came");
        }
        return call;
    }

    @Override
    public Exchange upgrade(RequestHead head, String protocols, EventLoop loop, UpgradeReceiver receiver) {
        return send(head, Kind.LONG_RUNNING, loop, receiver);
    }

    @Override
    public void reconfigure(UpstreamSpec spec) {}

    @Override
    public void close() {}

    /** One request. */
    static final class Call implements Exchange {
        final RequestHead head;
        final Kind kind;
        final BlockingQueue<String> events = new LinkedBlockingQueue<>();
        final AtomicLong bodyBytes = new AtomicLong();
        volatile boolean writable = true;
        private final EventLoop loop;
        private final ResponseReceiver receiver;

        /** Of the event loop. */
        private final Queue<String> waiting = new ArrayDeque<>();

        private boolean isRead = true;

        Call(RequestHead head, Kind kind, EventLoop loop, ResponseReceiver receiver) {
            this.head = head;
            this.kind = kind;
            this.loop = loop;
            this.receiver = receiver;
        }

        void answer(int status, String... fields) {
            MutableFields headers = new MutableFields();
            for (String field : fields) {
                headers.add(field.substring(0, field.indexOf(':')), field.substring(field.indexOf(':') + 2));
            }
            tell(() -> receiver.onHead(status, headers));
        }

        void data(String text) {
            tell(() -> receiver.onData(Unpooled.copiedBuffer(text, UTF_8)));
        }

        /** Pieces that wait while the answer is not read, and are handed over as soon as it is, as those of HTTP/2 are. */
        void waiting(List<String> pieces) {
            tell(() -> {
                waiting.addAll(pieces);
                handOver();
            });
        }

        private void handOver() {
            while (isRead && !waiting.isEmpty()) {
                receiver.onData(Unpooled.copiedBuffer(waiting.remove(), UTF_8));
            }
            receiver.onWaiting(waiting.stream().mapToInt(String::length).sum());
        }

        /** Answers well, with two bytes. */
        void finish() {
            answer(200, "Content-Length: 2");
            data("{}");
            tell(receiver::onEnd);
        }

        void tell(Runnable step) {
            if (loop.inEventLoop()) {
                step.run();
            } else {
                loop.submit(step).syncUninterruptibly();
            }
        }

        ResponseReceiver receiver() {
            return receiver;
        }

        /** The next of {@code end}, {@code reading true}, {@code reading false}, {@code cancel}. */
        String event() throws InterruptedException {
            String event = events.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            return event == null ? "nothing" : event;
        }

        @Override
        public EventLoop eventLoop() {
            return loop;
        }

        @Override
        public void write(ByteBuf data) {
            bodyBytes.addAndGet(data.readableBytes());
            data.release();
        }

        @Override
        public void end() {
            events.add("end");
        }

        @Override
        public boolean isWritable() {
            return writable;
        }

        @Override
        public void reading(boolean on) {
            events.add("reading " + on);
            isRead = on;
            handOver();
        }

        @Override
        public void cancel() {
            events.add("cancel");
        }
    }
}
