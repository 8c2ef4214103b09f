package io.fairlead.gateway.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.admin.Probes;
import io.fairlead.gateway.admin.Scrape;
import io.fairlead.model.Repetitions;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
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
 */
final class MetricsRequests extends SimpleChannelInboundHandler<HttpObject> {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsRequests.class);
    private static final Repetitions FAILED = new Repetitions();
    private static final String PLAIN = "text/plain; charset=utf-8";

    private final Probes probes;
    private final PrometheusMeterRegistry registry;
    private final Executor scrapes;
    private final Duration patience;
    private @Nullable Future<?> timeout;
    private @Nullable HttpRequest request;

    MetricsRequests(Probes probes, PrometheusMeterRegistry registry, Executor scrapes, Duration patience) {
        this.probes = probes;
        this.registry = registry;
        this.scrapes = scrapes;
        this.patience = patience;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        await(ctx);
        ctx.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        stopWaiting();
        ctx.fireChannelInactive();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
        if (part.decoderResult().isFailure()) {
            write(ctx, 400, PLAIN, "400 bad request\n".getBytes(UTF_8), true);
            return;
        }
        if (part instanceof HttpRequest head) {
            request = head;
        }
        if (part instanceof LastHttpContent && request != null) {
            answer(ctx, request);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
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

    private void answer(ChannelHandlerContext ctx, HttpRequest asked) {
        boolean headOnly = asked.method().equals(HttpMethod.HEAD);
        if (!headOnly && !asked.method().equals(HttpMethod.GET)) {
            write(ctx, 405, PLAIN, "405 method not allowed (expected GET)\n".getBytes(UTF_8), false);
            return;
        }
        String target = asked.uri();
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        if (path.equals("/metrics")) {
            scrape(ctx, asked.headers().get(HttpHeaderNames.ACCEPT));
        } else if (path.startsWith("/livez") || path.startsWith("/readyz") || path.equals("/healthz")) {
            Probes.Answer answer = probes.answer(path, mark < 0 ? "" : target.substring(mark + 1));
            write(ctx, answer.code(), PLAIN, answer.text().getBytes(UTF_8), false);
        } else {
            write(ctx, 404, PLAIN, "404 page not found\n".getBytes(UTF_8), false);
        }
    }

    private void scrape(ChannelHandlerContext ctx, @Nullable String accept) {
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
        boolean headOnly = request != null && request.method().equals(HttpMethod.HEAD);
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(code),
                headOnly ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(bytes));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, contentType)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, bytes.length);
        if (last) {
            HttpUtil.setKeepAlive(response, false);
        }
        request = null;
        await(ctx);
        var written = ctx.writeAndFlush(response);
        if (last) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }
}
