package io.fairlead.net;

import io.fairlead.http.MutableFields;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Introduction} on one connection before its first call. Reports its outcome exactly once, on the event loop.
 *
 * <p>Its failures never count as a request that reached the server: none was sent.
 */
final class Introducing implements ResponseReceiver {
    private static final int BODY_BYTES_MAX = 64 * 1024;

    /** Receives the outcome. */
    interface Outcome {
        void approved();

        void refused(UpstreamFailure why);
    }

    private final Introduction introduction;
    private final Endpoint endpoint;
    private final EventLoop loop;
    private final Outcome outcome;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final Call call;
    private @Nullable ScheduledFuture<?> deadline;
    private int status;
    private boolean over;

    private Introducing(Introduction introduction, Endpoint endpoint, EventLoop loop, Outcome outcome) {
        this.introduction = introduction;
        this.endpoint = endpoint;
        this.loop = loop;
        this.outcome = outcome;
        this.call = new Call(loop, introduction.question(), Upstream.Kind.SHORT, this, (_, _) -> false);
    }

    /** Sends it over a ready connection. */
    static void begin(
            Introduction introduction, Connection connection, Endpoint endpoint, EventLoop loop, Outcome outcome) {
        Introducing introducing = new Introducing(introduction, endpoint, loop, outcome);
        introducing.deadline =
                loop.schedule(introducing::giveUp, introduction.timeout().toNanos(), TimeUnit.NANOSECONDS);
        connection.send(introducing.call);
        introducing.call.started(null);
    }

    @Override
    public void onHead(int code, MutableFields headers) {
        status = code;
    }

    @Override
    public void onData(ByteBuf data) {
        try {
            if (body.size() + data.readableBytes() > BODY_BYTES_MAX) {
                refuse(Kind.IDENTITY, "says who it is in more than " + BODY_BYTES_MAX + " bytes");
                call.cancel();
            } else {
                body.writeBytes(ByteBufUtil.getBytes(data));
            }
        } finally {
            data.release();
        }
    }

    /** The verdict is handled in a separate turn: by then the connection has finished the answer. */
    @Override
    public void onEnd() {
        introduction
                .judge(status, body.toByteArray())
                .whenComplete((why, problem) -> loop.execute(() -> {
                    if (problem != null) {
                        end(Failures.brokenDial(endpoint, problem));
                    } else {
                        judged(why);
                    }
                }));
    }

    @Override
    public void onFailure(UpstreamFailure failure) {
        end(Failures.unreached(failure.kind(), failure.message()));
    }

    private void judged(Optional<String> why) {
        if (why.isPresent()) {
            end(Failures.unreached(Kind.IDENTITY, endpoint + ": " + why.get()));
        } else {
            end(null);
        }
    }

    private void giveUp() {
        refuse(Kind.TIMEOUT, "did not say who it is within " + Failures.seconds(introduction.timeout()));
        call.cancel();
    }

    private void refuse(Kind kind, String why) {
        end(Failures.unreached(kind, endpoint + " " + why));
    }

    private void end(@Nullable UpstreamFailure failure) {
        if (over) {
            return;
        }
        over = true;
        if (deadline != null) {
            deadline.cancel(false);
        }
        if (failure == null) {
            outcome.approved();
        } else {
            outcome.refused(failure);
        }
    }
}
