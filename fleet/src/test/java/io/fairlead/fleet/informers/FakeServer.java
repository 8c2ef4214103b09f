package io.fairlead.fleet.informers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ClusterName;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers each request at once. Threads: one asks at a time, another may read what was asked. */
public final class FakeServer implements Upstream {
    private final Consumer<Answer> answers;
    /** As {@code GET /api/v1/pods LIST}, the last being the kind of the request. */
    public final List<String> asked = new CopyOnWriteArrayList<>();

    /** The bodies. */
    public final List<String> sent = new CopyOnWriteArrayList<>();

    final List<Boolean> reading = new ArrayList<>();

    /** How many requests were. */
    public final AtomicInteger cancelled = new AtomicInteger();

    public FakeServer(Consumer<Answer> answers) {
        this.answers = answers;
    }

    /** One that answers each request by the next of these, and none after them. */
    public static FakeServer inTurn(Queue<Consumer<Answer>> answers) {
        return new FakeServer(answer -> {
            Consumer<Answer> next = answers.poll();
            if (next != null) {
                next.accept(answer);
            }
        });
    }

    /**
     * The registration of a cluster that has this server.
     *
     * @param holdsWrites whether it takes no changes
     */
    public ClusterEntry.Attached entry(ClusterName name, boolean holdsWrites) {
        return new ClusterEntry.Attached(
                name,
                new ClusterEntry.Backend(this, List.of(), new UpstreamIdentity.Impersonate(false, Set.of())),
                null,
                _ -> {},
                HistoryModes.UNSET,
                holdsWrites);
    }

    @Override
    public Exchange send(RequestHead head, Kind kind, @Nullable EventLoop loop, ResponseReceiver receiver) {
        asked.add(head.method() + " " + head.target() + " " + kind);
        answers.accept(new Answer(head.target(), receiver));
        return new Sent();
    }

    @Override
    public Exchange upgrade(RequestHead head, String protocols, EventLoop loop, UpgradeReceiver receiver) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reconfigure(UpstreamSpec spec) {}

    @Override
    public void close() {}

    private final class Sent implements Exchange {
        @Override
        public EventLoop eventLoop() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(ByteBuf data) {
            sent.add(data.toString(UTF_8));
            data.release();
        }

        @Override
        public void end() {}

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void reading(boolean on) {
            reading.add(on);
        }

        @Override
        public void cancel() {
            cancelled.incrementAndGet();
        }
    }

    /** Says what a server answers. */
    public record Answer(String target, ResponseReceiver receiver) {
        public void of(int status, String... pieces) {
            receiver.onHead(status, new MutableFields());
            data(pieces);
            receiver.onEnd();
        }

        /** The head is sent by {@code receiver}. */
        public void data(String... pieces) {
            for (String piece : pieces) {
                receiver.onData(Unpooled.copiedBuffer(piece, UTF_8));
            }
        }

        public void failed(UpstreamFailure failure) {
            receiver.onFailure(failure);
        }
    }
}
