package io.fairlead.gateway.proxy;

import io.fairlead.gateway.answer.OpenStreams;
import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.guard.GuardedEvents;
import io.fairlead.gateway.guard.WatchGuards;
import io.fairlead.gateway.listen.RequestListener;
import io.fairlead.gateway.route.ToAttached;
import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import io.fairlead.model.Status;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One forwarded request: streams the body up and the answer down, each with back-pressure.
 *
 * <p>Runs on the client's event loop; callbacks of an upstream on another loop are moved here in order.
 */
final class Forwarding implements OpenStreams.Stream, GuardedEvents.Client {
    private final Reply reply;
    private final EventLoop loop;
    private final long bodyBytesMax;

    /** The announced length of the body; negative if there is none. */
    private final long length;

    private final OpenStreams openStreams;
    private final DefinitionWrite definitions;
    private final WatchGuards guards;

    /** The cluster's, when the request was sent. */
    private final long history;

    /** Null once the answer began: a watch lasts for long. */
    private @Nullable ToAttached request;

    /** Null once the answer began and all of the request was sent. */
    private @Nullable StandingRights rights;

    private @Nullable Exchange exchange;
    private @Nullable EventBoundary boundary;
    private @Nullable OpenStreams joined;

    /** Null before a watch has begun, and if it is not guarded. */
    private @Nullable GuardedEvents guard;

    private boolean ending;
    private boolean over;

    /** Whether all of the request was sent, so that the cluster may execute it. */
    private boolean sent;

    /** The end of a slow body, held until the rights are checked again. */
    private @Nullable ByteBuf withheld;

    Forwarding(
            ToAttached request,
            StandingRights rights,
            Reply reply,
            long bodyBytesMax,
            OpenStreams openStreams,
            WatchGuards guards) {
        this.request = request;
        this.rights = rights;
        this.reply = reply;
        this.loop = reply.eventLoop();
        this.bodyBytesMax = bodyBytesMax;
        this.length = request.described().received().contentLength();
        this.openStreams = openStreams;
        this.guards = guards;
        this.history = guards.historyOf(request.cluster().name());
        this.definitions = new DefinitionWrite(request);
    }

    void start(Upstream upstream, RequestHead head, Upstream.Kind kind) {
        reply.receive(new Up());
        if (!over) { // otherwise the client left during the review of its request
            sent = length == 0;
            exchange = upstream.send(head, kind, loop, new Down());
            reply.read();
        }
    }

    /** Ends a watch between two events, so that its client takes it for an ordinary end and resumes elsewhere. */
    @Override
    public void endSoon() {
        loop.execute(() -> {
            ending = true;
            endIfComplete();
        });
    }

    private void endIfComplete() {
        EventBoundary events = boundary;
        if (ending && events != null && events.isReached()) {
            end();
        }
    }

    private void readOn() {
        Exchange upstream = exchange;
        if (!over && upstream != null && reply.isWritable()) {
            upstream.reading(true);
        }
    }

    /** Nothing but the streams matters from now on. */
    private void forget() {
        request = null;
        if (sent) {
            rights = null;
        }
    }

    private void finish() {
        over = true;
        if (joined != null) {
            joined.remove(this);
        }
        ByteBuf unsent = withheld;
        withheld = null;
        if (unsent != null) {
            unsent.release();
        }
        GuardedEvents events = guard;
        guard = null;
        if (events != null) {
            events.close();
        }
    }

    /**
     * Cancels the request at the cluster, unless it may be changing what the cluster serves: then its answer is
     * awaited, since a client that disconnects must neither hide a change nor make a refused one count.
     */
    private void giveUp() {
        if (!over) {
            finish();
            Exchange upstream = exchange;
            if (upstream != null && !(sent && definitions.isUndecided())) {
                upstream.cancel();
            }
        }
    }

    /** Receives the request's body and the client's departure. */
    private final class Up implements RequestListener {
        private final long beganNanos = length == 0 ? 0 : System.nanoTime();
        private long bytes;

        @Override
        public void onData(ByteBuf data) {
            Exchange upstream = exchange;
            if (over || upstream == null) {
                data.release();
                return;
            }
            if (withheld != null) { // only the end follows the last byte
                data.release();
                reply.read();
                return;
            }
            bytes += data.readableBytes();
            if (bytes > bodyBytesMax) {
                data.release();
                giveUp();
                reply.status(ProxyHandler.tooLarge(bodyBytesMax));
                return;
            }
            if (bytes == length && tookLong()) {
                withheld = data; // With its last byte the cluster has the whole body.
                reply.read();
                return;
            }
            upstream.write(data);
            if (upstream.isWritable()) {
                reply.read();
            }
        }

        @Override
        public void onEnd() {
            Exchange upstream = exchange;
            if (over || upstream == null || length == 0) {
                return;
            }
            if (withheld != null || (length < 0 && tookLong())) {
                Objects.requireNonNull(rights)
                        .refusal()
                        .whenComplete((refusal, _) -> here(() -> endUnless(refusal, upstream)));
            } else {
                end(upstream);
            }
        }

        private void endUnless(Optional<Status> refusal, Exchange upstream) {
            if (over) {
                return;
            }
            if (refusal.isPresent()) {
                giveUp();
                reply.status(refusal.get());
                return;
            }
            ByteBuf last = withheld;
            withheld = null;
            if (last != null) {
                upstream.write(last);
            }
            end(upstream);
        }

        private void end(Exchange upstream) {
            sent = true;
            upstream.end();
        }

        private boolean tookLong() {
            return System.nanoTime() - beganNanos > StandingRights.HOLD_NANOS;
        }

        /** The client reads more. A WebSocket says so while a guard forwards a piece, which must be done with it first. */
        @Override
        public void onWritable() {
            if (guard == null) {
                readOn();
            } else {
                loop.execute(Forwarding.this::readOn);
            }
        }

        @Override
        public void onGone() {
            giveUp();
        }
    }

    /** The answer. */
    private final class Down implements ResponseReceiver {
        @Override
        public void onHead(int status, MutableFields headers) {
            here(() -> {
                ToAttached answered = request;
                if (over || answered == null) {
                    decidedAfterTheClientLeft(status);
                    return;
                }
                Optional<Status> refused = RefusedAnswer.of(status, headers, answered);
                if (refused.isPresent()) {
                    definitions.answered(status);
                    giveUp();
                    reply.status(refused.get());
                    return;
                }
                AnswerHeaders.adapt(headers, answered);
                definitions.answered(status);
                reply.head(status, headers, false);
                watch(status, answered, headers);
                forget();
            });
        }

        @Override
        public void onData(ByteBuf data) {
            here(() -> {
                GuardedEvents events = guard;
                if (over || events == null) {
                    forward(data);
                } else {
                    events.accept(data);
                }
            });
        }

        @Override
        public void onEnd() {
            here(() -> {
                GuardedEvents events = guard;
                if (events != null) {
                    events.complete();
                }
                if (!over) {
                    finish();
                    reply.end();
                }
            });
        }

        @Override
        public void onWaiting(int bytes) {
            here(() -> reply.waiting(bytes));
        }

        /** Before the head the client gets the reason; afterwards an aborted answer. */
        @Override
        public void onFailure(UpstreamFailure failure) {
            here(() -> {
                definitions.mayHaveChanged();
                if (over) {
                    return;
                }
                finish();
                fail(failure);
            });
        }

        @Override
        public void onWritabilityChanged(boolean writable) {
            if (writable) {
                here(reply::read);
            }
        }

        private void fail(UpstreamFailure failure) {
            ToAttached unanswered = request;
            if (unanswered == null) {
                reply.abort();
            } else {
                reply.status(ProxyHandler.status(unanswered, failure));
            }
        }

        private void decidedAfterTheClientLeft(int status) {
            definitions.answered(status);
            Exchange upstream = exchange;
            if (upstream != null) {
                upstream.cancel();
            }
        }

        private void watch(int status, ToAttached answered, MutableFields headers) {
            if (answered.described().info().verb().equals("watch") && !over) {
                boundary = EventBoundary.of(headers.get(FieldName.CONTENT_TYPE));
                if (status == 200) {
                    guard = guards.guard(answered, history, headers, Forwarding.this)
                            .orElse(null);
                }
                joined = openStreams;
                openStreams.add(Forwarding.this);
            }
        }
    }

    @Override
    public void forward(ByteBuf data) {
        if (over) {
            data.release();
            return;
        }
        EventBoundary events = boundary;
        if (events != null) {
            reply.events(events.pass(data));
        }
        reply.data(data);
        endIfComplete();
        Exchange upstream = exchange;
        if (!reply.isWritable() && !over && upstream != null) {
            upstream.reading(false);
        }
    }

    @Override
    public void end() {
        if (!over) {
            giveUp();
            reply.end();
        }
    }

    @Override
    public void abort() {
        if (!over) {
            giveUp();
            reply.abort();
        }
    }

    @Override
    public void execute(Runnable step) {
        loop.execute(step);
    }

    private void here(Runnable step) {
        if (loop.inEventLoop()) {
            step.run();
        } else {
            loop.execute(step);
        }
    }
}
