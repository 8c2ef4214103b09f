package io.fairlead.net;

import static io.fairlead.net.Rig.head;

import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** A call whose connection, receiver and clock are a test's own. */
abstract class CallFixture {
    static final int HELD_MAX = 64 * 1024;
    static final Duration HOUR = Duration.ofHours(1);
    /** Over before anything can be done: what is judged by the clock is due. */
    static final Duration INSTANT = Duration.ofNanos(1);

    static final UpstreamFailure UNREACHED = new UpstreamFailure(Kind.RESET, "of a test", false);
    static final UpstreamFailure REACHED = new UpstreamFailure(Kind.RESET, "of a test", true);

    final EmbeddedChannel loop = new EmbeddedChannel();
    final Rig rig = new Rig();
    final List<String> heard = new ArrayList<>();
    final List<String> wired = new ArrayList<>();
    final List<UpstreamFailure> resends = new ArrayList<>();
    final FirstByteWait hour = within(HOUR);
    boolean isSentAgain;
    boolean wireIsWritable = true;

    CallFixture() {
        loop.freezeTime();
    }

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    Call post(long length) {
        return new Call(
                loop.eventLoop(), head(HttpMethod.POST, "/", length), Upstream.Kind.SHORT, receiver(), (_, failure) -> {
                    resends.add(failure);
                    return isSentAgain;
                });
    }

    Call sent(Call call) {
        call.started(hour);
        call.sentOver(wire());
        return call;
    }

    FirstByteWait within(Duration timeout) {
        return new FirstByteWait(loop.eventLoop(), timeout);
    }

    void pass(Duration time) {
        loop.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        loop.runScheduledPendingTasks();
    }

    /** One that nothing is submitted to. */
    EndpointPool lane() {
        UpstreamSpec spec = new UpstreamSpec(List.of(URI.create("https://one")), null, null, null, null);
        PooledUpstream upstream =
                (PooledUpstream) rig.client(UpstreamLimits.defaults(), true).open(spec);
        Generation generation = new Generation(upstream, spec, null);
        return new EndpointPool(upstream, generation, Rig.chosen(generation), Upstream.Kind.SHORT, loop.eventLoop());
    }

    CallTransport wire() {
        return new NotedWire();
    }

    ResponseReceiver receiver() {
        return new ResponseReceiver() {
            @Override
            public void onHead(int status, MutableFields headers) {
                heard.add(Integer.toString(status));
            }

            @Override
            public void onData(ByteBuf data) {
                heard.add(data.toString(StandardCharsets.UTF_8));
                data.release();
            }

            @Override
            public void onEnd() {
                heard.add("end");
            }

            @Override
            public void onFailure(UpstreamFailure failure) {
                heard.add(
                        failure.kind() + (failure.requestReached() ? " reached " : " unreached ") + failure.message());
            }

            @Override
            public void onWritabilityChanged(boolean writable) {
                heard.add("writable " + writable);
            }
        };
    }

    /** Writes down what goes over it. */
    class NotedWire implements CallTransport {
        @Override
        public void body(ByteBuf data) {
            wired.add(data.toString(StandardCharsets.UTF_8));
            data.release();
        }

        @Override
        public void endBody() {
            wired.add("end");
        }

        @Override
        public boolean isWritable() {
            return wireIsWritable;
        }

        @Override
        public void reading(boolean on) {
            wired.add("reading " + on);
        }

        @Override
        public void abort() {
            wired.add("abort");
        }
    }
}
