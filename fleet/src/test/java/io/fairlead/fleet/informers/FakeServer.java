package io.fairlead.fleet.informers;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers each request at once. */
final class FakeServer implements Upstream {
    private final Consumer<Answer> answers;
    final List<String> asked = new CopyOnWriteArrayList<>();
    final List<String> sent = new ArrayList<>();
    final List<Boolean> reading = new ArrayList<>();
    int cancelled;

    FakeServer(Consumer<Answer> answers) {
        this.answers = answers;
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
            cancelled++;
        }
    }

    /** Says what a server answers. */
    record Answer(String target, ResponseReceiver receiver) {
        void of(int status, String... pieces) {
            receiver.onHead(status, new MutableFields());
            data(pieces);
            receiver.onEnd();
        }

        void data(String... pieces) {
            for (String piece : pieces) {
                receiver.onData(Unpooled.copiedBuffer(piece, UTF_8));
            }
        }

        void failed(UpstreamFailure failure) {
            receiver.onFailure(failure);
        }
    }
}
