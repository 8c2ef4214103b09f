package io.fairlead.net;

import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.text;

import io.fairlead.http.HttpMethod;
import io.fairlead.net.EndpointReport.Verdict;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/** Scripted API servers, and a probed upstream of several of them. */
abstract class BalancedFixture {
    /** Probes often, so that no test waits for long. */
    static final EndpointLimits OFTEN =
            new EndpointLimits(Duration.ofMillis(50), Duration.ofSeconds(2), 1, 1, 3, Duration.ofMillis(50));

    static final EndpointLimits NEVER_AGAIN =
            new EndpointLimits(Duration.ofHours(1), Duration.ofSeconds(5), 1, 1, 3, Duration.ofHours(1));

    final Rig rig = new Rig();
    private final List<List<EndpointReport>> told = new CopyOnWriteArrayList<>();
    final AtomicInteger resent = new AtomicInteger();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    /** An API server whose answer to a probe, and to all else, a test decides. */
    final class Replica {
        volatile int readyz = 200;
        final FakeServer.Script answering = (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, name());
            }
        };
        volatile FakeServer.Script script = answering;
        final AtomicInteger probes = new AtomicInteger();
        final AtomicInteger requests = new AtomicInteger();
        final FakeServer server;

        Replica(String protocol) {
            this.server = rig.server(protocol, this::on);
        }

        URI url() {
            return server.url();
        }

        String name() {
            return url().toString();
        }

        private void on(ChannelHandlerContext ctx, HttpObject piece) {
            if (piece instanceof HttpRequest request && request.uri().equals("/readyz")) {
                probes.incrementAndGet();
                if (readyz > 0) {
                    text(ctx, readyz, "of a test");
                }
                return;
            }
            if (piece instanceof HttpRequest) {
                requests.incrementAndGet();
                script.on(ctx, piece);
            } else if (requests.get() > 0) {
                script.on(ctx, piece);
            }
        }
    }

    Replica replica() {
        return new Replica("h2");
    }

    UpstreamSpec spec(URI... urls) {
        return new UpstreamSpec(List.of(urls), Rig.PKI.caPem(), null, null, null);
    }

    Upstream balanced(EndpointLimits limits, URI... urls) {
        UpstreamLimits all =
                UpstreamLimits.defaults().withTlsTimeout(Duration.ofSeconds(2)).withEndpoints(limits);
        return rig.opened(rig.client(all, true).openProbed(spec(urls), metrics()));
    }

    /** One whose first request goes to the first endpoint, of which nothing is known yet. */
    Upstream unprobed(URI... urls) {
        return rig.opened(rig.client(UpstreamLimits.defaults(), true).open(spec(urls), metrics()));
    }

    ConnectionMetrics metrics() {
        return new ConnectionMetrics() {
            @Override
            public void resent() {
                resent.incrementAndGet();
            }

            @Override
            public void endpoints(List<EndpointReport> endpoints) {
                told.add(endpoints);
            }
        };
    }

    /** What is known of the endpoints by now. */
    List<Verdict> verdicts() {
        return told.isEmpty()
                ? List.of()
                : told.getLast().stream().map(EndpointReport::verdict).toList();
    }

    /** Whether each is known to be ready, or known not to be. */
    boolean areReady(Boolean... expected) {
        return !verdicts().contains(EndpointReport.UNPROVEN)
                && verdicts().stream().map(Verdict::isReady).toList().equals(List.of(expected));
    }

    static Recorder get(Upstream upstream) {
        return Rig.get(upstream, "/");
    }

    static Recorder post(Upstream upstream, String body) {
        Recorder answer = new Recorder();
        Exchange exchange = upstream.send(head(HttpMethod.POST, "/", body.length()), Upstream.Kind.SHORT, null, answer);
        exchange.write(Rig.utf8(body));
        exchange.end();
        return answer;
    }

    /** The bodies of some answers, one after the other. */
    static List<String> answers(Upstream upstream, int count) {
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            bodies.add(get(upstream).body());
        }
        return bodies;
    }
}
