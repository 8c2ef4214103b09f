package io.fairlead.net;

import static io.fairlead.net.Recorder.eventually;
import static io.fairlead.net.Rig.chunked;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.unusedUrl;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.fairlead.net.EndpointReport.Broken;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests to several endpoints of which one fails: which of them are sent once more, and to which. */
final class BalancedRequestsTest extends BalancedFixture {
    @ParameterizedTest
    @EnumSource(Upstream.Kind.class)
    void endpointThatRefusesConnections_failsNoRequest(Upstream.Kind kind) throws IOException {
        Replica one = replica();
        Upstream upstream = unprobed(unusedUrl(), one.url());

        for (int i = 0; i < 10; i++) {
            Recorder answer = new Recorder();
            upstream.send(head(HttpMethod.GET, "/", 0), kind, null, answer);
            assertThat(answer.body()).isEqualTo(one.name());
        }
        assertThat(resent.get()).isPositive();
    }

    @Test
    void endpointsThatAllRefuseConnections_areGivenUp() throws IOException {
        Upstream upstream = balanced(OFTEN, unusedUrl(), unusedUrl());
        eventually(() -> areReady(false, false));
        assertThat(verdicts()).hasOnlyElementsOfType(Broken.class);

        UpstreamFailure failure = get(upstream).failure();
        assertThat(failure.kind()).isEqualTo(Kind.NO_READY_ENDPOINT);
    }

    /** It shows no connection to be at fault, so that nothing but the breaker keeps others away. */
    @Test
    void endpointThatLosesRequests_isGivenUp_andTakenBackAfterOneProbe() {
        Replica one = replica();
        Replica other = replica();
        FakeServer.Script good = one.script;
        one.script = (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
            }
        };
        one.readyz = 0;
        EndpointLimits patient = new EndpointLimits(
                OFTEN.probeInterval(),
                Duration.ofMillis(300),
                1_000_000,
                1,
                OFTEN.breakerFailures(),
                OFTEN.dnsRefresh());
        Upstream upstream = balanced(patient, one.url(), other.url());
        eventually(() -> other.probes.get() > 0);
        for (int i = 0; i < 2 * OFTEN.breakerFailures(); i++) {
            eventually(get(upstream)::isOver);
        }
        assertThat(one.requests).hasValue(OFTEN.breakerFailures());
        assertThat(answers(upstream, 10)).containsOnly(other.name());

        one.script = good;
        one.readyz = 200;

        eventually(() -> areReady(true, true));
        assertThat(answers(upstream, 4)).contains(one.name());
    }

    /** A client must not be able to take a cluster from all others by requests whose answers break off. */
    @Test
    void requestsThatAllServersLose_takeThemFromNoOtherRequest() {
        Replica one = replica();
        Replica other = replica();
        FakeServer.Script good = one.script;
        FakeServer.Script losing = (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
            }
        };
        one.script = losing;
        other.script = losing;
        EndpointLimits slow = new EndpointLimits(
                Duration.ofSeconds(20), Duration.ofSeconds(5), 1, 1, OFTEN.breakerFailures(), Duration.ofHours(1));
        Upstream upstream = balanced(slow, one.url(), other.url());
        eventually(() -> areReady(true, true));
        for (int i = 0; i < 20 * OFTEN.breakerFailures(); i++) {
            eventually(get(upstream)::isOver);
        }
        one.script = good;
        other.script = good;

        assertThat(answers(upstream, 20)).isNotEmpty().doesNotContainNull();
    }

    /** Else each probe would be followed by a few requests that are lost, and these by the next probe. */
    @Test
    void endpointThatPassesProbesAndLosesRequests_getsFewerAndFewer() {
        Replica one = replica();
        Replica other = replica();
        one.script = (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
            }
        };
        EndpointLimits slow = new EndpointLimits(
                Duration.ofSeconds(20), Duration.ofSeconds(5), 1, 1, OFTEN.breakerFailures(), Duration.ofHours(1));
        Upstream upstream = balanced(slow, one.url(), other.url());
        eventually(() -> areReady(true, true));

        for (int i = 0; i < 150; i++) {
            eventually(get(upstream)::isOver);
        }

        assertThat(one.requests.get()).isBetween(OFTEN.breakerFailures(), 30);
        assertThat(other.requests.get()).isGreaterThanOrEqualTo(120);
    }

    /** They are answers of the API, or of what it asks. */
    @Test
    void answersOf500_countNotAgainstTheEndpoint() {
        Replica one = replica();
        Replica other = replica();
        one.script = (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                Rig.text(ctx, 500, "of a test");
            }
        };
        Upstream upstream = balanced(NEVER_AGAIN, one.url(), other.url());

        answers(upstream, 20);

        assertThat(one.requests).hasValue(10);
        assertThat(areReady(true, true)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void refusedStream_isSentOnceMore_toAnotherEndpoint(Refusal refusal) {
        Replica one = replica();
        Replica other = replica();
        one.script = (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                refuse(refusal, ctx);
            }
        };
        Upstream upstream = balanced(NEVER_AGAIN, one.url(), other.url());

        assertThat(answers(upstream, 10)).containsOnly(other.name());

        assertThat(one.requests).hasValue(resent.get());
        assertThat(resent.get()).isPositive();
    }

    @Test
    void requestThatAllRefuse_isSentTwiceAndNoOftener() {
        Replica one = replica();
        Replica other = replica();
        Replica third = replica();
        for (Replica each : new Replica[] {one, other, third}) {
            each.script = (ctx, piece) -> {
                if (piece instanceof HttpRequest) {
                    refuse(Refusal.RESET, ctx);
                }
            };
        }
        Upstream upstream = balanced(NEVER_AGAIN, one.url(), other.url(), third.url());

        UpstreamFailure failure = get(upstream).failure();

        assertThat(failure.kind()).isEqualTo(Kind.RESET);
        assertThat(failure.requestReached()).isFalse();
        assertThat(one.requests.get() + other.requests.get() + third.requests.get())
                .isEqualTo(2);
        assertThat(resent).hasValue(1);
    }

    @Test
    void bodyOfWhichAPieceLeft_isNotSentToAnotherEndpoint() {
        Replica one = replica();
        Replica other = replica();
        for (Replica each : new Replica[] {one, other}) {
            each.script = (ctx, piece) -> {
                if (piece instanceof HttpContent content && content.content().isReadable()) {
                    ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
                }
            };
        }
        Upstream upstream = balanced(NEVER_AGAIN, one.url(), other.url());

        UpstreamFailure failure = post(upstream, "a body").failure();

        assertThat(failure.requestReached()).isFalse();
        assertThat(one.requests.get() + other.requests.get()).isEqualTo(1);
    }

    @Test
    void bodyThatIsStillHeld_isSentWholeToTheOtherEndpoint() throws IOException {
        Replica one = replica();
        one.script = (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
            } else if (piece instanceof HttpContent content) {
                ctx.writeAndFlush(content.retainedDuplicate());
            }
        };
        Upstream upstream = unprobed(unusedUrl(), one.url());

        assertThat(post(upstream, "a body").body()).isEqualTo("a body");
        assertThat(resent).hasValue(1);
    }

    /** A server may have acted upon what was lost with the connection. */
    @Test
    void requestThatIsLostAtOneEndpoint_isNotSentToAnother() {
        Replica one = replica();
        Replica other = replica();
        one.script = (ctx, piece) -> ctx.channel().parent().unsafe().closeForcibly();
        other.script = one.script;
        Upstream upstream = balanced(NEVER_AGAIN, one.url(), other.url());

        UpstreamFailure failure = get(upstream).failure();

        assertThat(failure.requestReached()).isTrue();
        assertThat(one.requests.get() + other.requests.get()).isEqualTo(1);
        assertThat(resent).hasValue(0);
    }

    @Test
    void upgradeWhoseConnectionIsRefused_isNotTriedAtAnotherEndpoint() throws Exception {
        Replica one = new Replica("http/1.1");
        Upstream upstream = unprobed(unusedUrl(), one.url());
        FailureReceiver receiver = new FailureReceiver();

        upstream.upgrade(head(HttpMethod.GET, "/exec", 0), "x", rig.loop(), receiver);

        assertThat(receiver.failure.get(20, TimeUnit.SECONDS).kind()).isEqualTo(Kind.CONNECT);
        assertThat(one.server.accepted()).isZero();
        assertThat(resent).hasValue(0);
    }

    @Test
    void upgradeWithoutAReadyEndpoint_fails() throws Exception {
        Replica one = replica();
        Replica other = replica();
        one.readyz = 500;
        other.readyz = 500;
        Upstream upstream = balanced(OFTEN, one.url(), other.url());
        eventually(() -> areReady(false, false));
        FailureReceiver receiver = new FailureReceiver();

        upstream.upgrade(head(HttpMethod.GET, "/exec", 0), "x", rig.loop(), receiver);

        assertThat(receiver.failure.get(20, TimeUnit.SECONDS).kind()).isEqualTo(Kind.NO_READY_ENDPOINT);
    }

    /** How a server refuses a stream that it has not looked at. */
    enum Refusal {
        RESET,
        GOAWAY
    }

    private static void refuse(Refusal refusal, ChannelHandlerContext ctx) {
        switch (refusal) {
            case RESET -> ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
            case GOAWAY -> {
                // It has looked at no stream: 0 is the last one. Netty's own frame would name the last that came.
                ByteBuf frame = Unpooled.buffer()
                        .writeMedium(8)
                        .writeByte(7)
                        .writeByte(0)
                        .writeInt(0)
                        .writeLong(0);
                ChannelHandlerContext raw =
                        FakeServer.raw(ctx.channel().parent().pipeline().firstContext());
                raw.writeAndFlush(frame).addListener(_ -> raw.close());
            }
        }
    }
}
