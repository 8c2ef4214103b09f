package io.fairlead.gateway.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.admin.Probes;
import io.fairlead.gateway.admin.Scrape;
import io.fairlead.http.FieldName;
import io.fairlead.http.HeadLimits;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.Malformed;
import io.fairlead.http.MutableFields;
import io.fairlead.http.TurnOutput;
import io.fairlead.http.h1.AnswerWriter;
import io.fairlead.http.h1.RequestHead;
import io.fairlead.http.h1.RequestReader;
import io.fairlead.model.Repetitions;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of the metrics listener: answers one request after the other. A client that takes too long for a request, or
 * for the answer, is closed. On the connection's event loop.
 *
 * <pre>
 * READING  - a request is complete -> SCRAPING for metrics, else READING when it is answered
 * SCRAPING - answered -> READING      what came meanwhile waits
 * READING, SCRAPING - answered for the last time, no request, closed -> OVER
 * </pre>
 */
final class MetricsRequests extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsRequests.class);
    private static final Repetitions FAILED = new Repetitions();
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final HeadLimits HEADS = new HeadLimits(4 * 1024, 12 * 1024, 200);

    private enum State {
        READING,
        SCRAPING,
        OVER
    }

    private final Probes probes;
    private final PrometheusMeterRegistry registry;
    private final Executor scrapes;
    private final Duration patience;
    private final RequestReader reader = new RequestReader(HEADS);

    private State state = State.READING;
    private @Nullable Future<?> timeout;
    private @Nullable RequestHead request;
    private @Nullable TurnOutput output;

    MetricsRequests(Probes probes, PrometheusMeterRegistry registry, Executor scrapes, Duration patience) {
        this.probes = probes;
        this.registry = registry;
        this.scrapes = scrapes;
        this.patience = patience;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        output = new TurnOutput(ctx, ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        state = State.OVER;
        stopWaiting();
        reader.close();
        output().drop();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        await(ctx);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = State.OVER;
        stopWaiting();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (state == State.OVER) {
            ReferenceCountUtil.release(message);
            return;
        }
        reader.receive(ctx.alloc(), (ByteBuf) message);
        advance(ctx);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    private void advance(ChannelHandlerContext ctx) {
        try {
            boolean more = true;
            while (more && state == State.READING) {
                more = request == null ? head() : body(ctx, request);
            }
        } catch (Malformed malformed) {
            write(ctx, 400, PLAIN, "400 bad request\n".getBytes(UTF_8), true);
        }
        reader.forgetRead();
    }

    private boolean head() throws Malformed {
        request = reader.head();
        return request != null;
    }

    /** No request needs one. */
    private boolean body(ChannelHandlerContext ctx, RequestHead asked) throws Malformed {
        ByteBuf piece = reader.body();
        if (piece != null) {
            piece.release();
        }
        if (reader.isBodyOver()) {
            answer(ctx, asked);
            return true;
        }
        return piece != null;
    }

    /** Restarts the time that the client has to read the answer and send the next request. */
    private void await(ChannelHandlerContext ctx) {
        stopWaiting();
        timeout = ctx.executor().schedule(() -> ctx.close(), patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void stopWaiting() {
        if (timeout != null) {
            timeout.cancel(false);
        }
    }

    private void answer(ChannelHandlerContext ctx, RequestHead asked) {
        if (!asked.method().equals(HttpMethod.GET) && !asked.method().equals(HttpMethod.HEAD)) {
            write(ctx, 405, PLAIN, "405 method not allowed (expected GET)\n".getBytes(UTF_8), false);
            return;
        }
        String target = asked.target();
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        if (path.equals("/metrics")) {
            scrape(ctx, asked.headers().get(FieldName.ACCEPT));
        } else if (path.startsWith("/livez") || path.startsWith("/readyz") || path.equals("/healthz")) {
            Probes.Answer answer = probes.answer(path, mark < 0 ? "" : target.substring(mark + 1));
            write(ctx, answer.code(), PLAIN, answer.text().getBytes(UTF_8), false);
        } else {
            write(ctx, 404, PLAIN, "404 page not found\n".getBytes(UTF_8), false);
        }
    }

    private void scrape(ChannelHandlerContext ctx, @Nullable String accept) {
        state = State.SCRAPING;
        ctx.channel().config().setAutoRead(false); // Later requests wait for this one's answer.
        try {
            scrapes.execute(() -> collect(ctx, accept));
        } catch (RejectedExecutionException tooMany) {
            write(ctx, 503, PLAIN, "503 too many scrapes at once\n".getBytes(UTF_8), true);
        }
    }

    private void collect(ChannelHandlerContext ctx, @Nullable String accept) {
        try {
            Scrape scrape = Scrape.of(registry, accept);
            ctx.executor().execute(() -> {
                write(ctx, 200, scrape.contentType(), scrape.body(), false);
                ctx.channel().config().setAutoRead(true);
                advance(ctx);
            });
        } catch (RuntimeException | Error failure) {
            FAILED.next(failure.getClass())
                    .ifPresent(leftOut -> LOG.atError()
                            .setCause(failure)
                            .addKeyValue("leftOut", leftOut)
                            .log("Metrics could not be collected"));
            ctx.executor()
                    .execute(
                            () -> write(ctx, 500, PLAIN, "500 metrics could not be collected\n".getBytes(UTF_8), true));
        }
    }

    private void write(ChannelHandlerContext ctx, int code, String contentType, byte[] bytes, boolean last) {
        if (state == State.OVER) {
            return;
        }
        MutableFields headers = new MutableFields().add(FieldName.CONTENT_TYPE, contentType);
        RequestHead asked = request;
        request = null;
        await(ctx);
        if (asked == null) {
            AnswerWriter.last(output(), code, headers, bytes);
            end(ctx);
            return;
        }
        headers.add(FieldName.CONTENT_LENGTH, Integer.toString(bytes.length));
        AnswerWriter answer = AnswerWriter.begin(output(), asked, code, headers, false, !last && asked.keepAlive());
        answer.write(output(), Unpooled.wrappedBuffer(bytes));
        answer.end(output());
        if (answer.keepAlive()) {
            state = State.READING;
        } else {
            end(ctx);
        }
    }

    private void end(ChannelHandlerContext ctx) {
        state = State.OVER;
        output().pass();
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    private TurnOutput output() {
        TurnOutput known = output;
        if (known == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return known;
    }
}
