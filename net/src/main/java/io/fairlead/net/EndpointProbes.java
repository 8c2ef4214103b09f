package io.fairlead.net;

import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.net.EndpointReport.Broken;
import io.fairlead.net.EndpointReport.Evidence;
import io.fairlead.net.EndpointReport.Unready;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The probes of a configuration's endpoints, {@code GET /readyz} with its credential over the pools of short calls.
 *
 * <p>2xx passes. So do 401, 403, 404 and 429, since then there is a server, of which the credential may not read whether it
 * is ready: its connections and answers speak for it. All else fails, a redirect too, which is not followed.
 *
 * <p>Threads: all on one event loop, but {@link #begin}, {@link #hurry} and {@link #end}, which any thread may call.
 */
final class EndpointProbes {
    private static final String PATH = "/readyz";
    private static final int BODY_BYTES_MAX = 64 * 1024;
    private static final Duration RETRY_FIRST = Duration.ofMillis(500);
    private static final int RETRY_DOUBLINGS_MAX = 16;

    private final Generation generation;
    private final EventLoop loop;
    private final EndpointLimits limits;
    private final List<Probe> probes = new ArrayList<>();
    private boolean isOver;

    EndpointProbes(Generation generation, List<Endpoint> endpoints, EventLoop loop, EndpointLimits limits) {
        this.generation = generation;
        this.loop = loop;
        this.limits = limits;
        endpoints.forEach(endpoint -> probes.add(new Probe(endpoint)));
    }

    /** Probes every endpoint, from now on. */
    void begin() {
        loop.execute(() -> probes.forEach(Probe::send));
    }

    /** An endpoint became doubtful: it is probed at once, unless its probes fail already. */
    void hurry(String url) {
        loop.execute(() -> probes.stream()
                .filter(probe -> probe.endpoint.report().url().equals(url)
                        && !probe.endpoint.health().isUsable())
                .forEach(Probe::hurry));
    }

    void end() {
        loop.execute(() -> {
            isOver = true;
            probes.forEach(Probe::end);
        });
    }

    /** That of one endpoint. */
    private final class Probe implements ResponseReceiver {
        private final Endpoint endpoint;
        private @Nullable Call call;
        private @Nullable ScheduledFuture<?> timer;
        private int failures;
        private int relapses = -1;
        private long hurriedNanos;
        private int status;
        private int bodyBytes;

        Probe(Endpoint endpoint) {
            this.endpoint = endpoint;
        }

        private void send() {
            if (isOver) {
                return;
            }
            status = 0;
            bodyBytes = 0;
            Call sent = new Call(loop, head(), Upstream.Kind.SHORT, this, (_, _) -> false);
            call = sent;
            timer = loop.schedule(this::giveUp, limits.probeTimeout().toNanos(), TimeUnit.NANOSECONDS);
            generation.lane(loop, endpoint, Upstream.Kind.SHORT).submit(sent);
            sent.started(null);
        }

        /** At once; but after a wait that grows if it was so a moment ago: it may pass each probe, and lose what follows. */
        private void hurry() {
            if (call == null && failures == 0) {
                long nowNanos = loop.ticker().nanoTime();
                boolean isRelapse = relapses >= 0
                        && nowNanos - hurriedNanos < 2 * limits.probeInterval().toNanos();
                relapses = isRelapse ? relapses + 1 : 0;
                hurriedNanos = nowNanos;
                nextIn(relapses == 0 ? Duration.ZERO : retry(relapses - 1));
            }
        }

        private void end() {
            stop();
            Call ending = call;
            call = null;
            if (ending != null) {
                ending.cancel();
            }
        }

        @Override
        public void onHead(int code, MutableFields headers) {
            status = code;
        }

        @Override
        public void onData(ByteBuf data) {
            bodyBytes += data.readableBytes();
            data.release();
            if (bodyBytes > BODY_BYTES_MAX && call != null) {
                call.cancel();
                onEnd();
            }
        }

        @Override
        public void onEnd() {
            if (status >= 200 && status < 300) {
                passed(Evidence.READYZ);
            } else if (status == 401 || status == 403 || status == 404 || status == 429) {
                passed(Evidence.CONNECTION);
            } else {
                failed(new Unready(status));
            }
        }

        /** That the server was not asked, for want of connections here, says nothing about it. */
        @Override
        public void onFailure(UpstreamFailure failure) {
            if (failure.kind() == Kind.OVERLOADED || failure.kind() == Kind.CLOSED) {
                nextIn(limits.probeInterval());
            } else {
                failed(new Broken(failure));
            }
        }

        private void giveUp() {
            if (call != null) {
                call.cancel();
                failed(new Broken(Failures.reached(
                        Kind.TIMEOUT,
                        endpoint + " did not answer " + PATH + " within " + Failures.seconds(limits.probeTimeout()))));
            }
        }

        private void passed(Evidence evidence) {
            failures = 0;
            if (isCurrent()) {
                endpoint.health().probePassed(evidence);
            }
            nextIn(endpoint.health().isUsable() ? limits.probeInterval() : retry(0));
        }

        private void failed(EndpointReport.Verdict why) {
            if (isCurrent()) {
                endpoint.health().probeFailed(why);
            }
            nextIn(retry(failures));
            failures++;
        }

        /** What comes once the configuration is retired may be another server's. */
        private boolean isCurrent() {
            return !isOver && !generation.isRetired();
        }

        private Duration retry(int doublings) {
            Duration wait = RETRY_FIRST.multipliedBy(1L << Math.min(doublings, RETRY_DOUBLINGS_MAX));
            return wait.compareTo(limits.probeInterval()) < 0 ? wait : limits.probeInterval();
        }

        private void nextIn(Duration wait) {
            stop();
            call = null;
            if (!isOver) {
                long nanos = endpoint.health().jittered(wait.toNanos());
                timer = loop.schedule(this::send, nanos, TimeUnit.NANOSECONDS);
            }
        }

        private void stop() {
            ScheduledFuture<?> running = timer;
            timer = null;
            if (running != null) {
                running.cancel(false);
            }
        }

        private RequestHead head() {
            return new RequestHead(
                    HttpMethod.GET,
                    PATH,
                    new MutableFields().set(FieldName.ACCEPT, "*/*").toFields(),
                    0);
        }
    }
}
