package io.fairlead.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which credential goes with a request, by whose right it is made, and to which servers. */
class CallersTokenTest {
    private final Rig rig = new Rig();

    @AfterEach
    void close() throws Exception {
        rig.close();
    }

    @ParameterizedTest
    @CsvSource({
        "h2, OWN, Bearer own",
        "h2, IMPERSONATING, Bearer own",
        "h2, CALLER, Bearer callers",
        "http/1.1, OWN, Bearer own",
        "http/1.1, IMPERSONATING, Bearer own",
        "http/1.1, CALLER, Bearer callers"
    })
    void credential_isOneAlone_byTheSender(String protocol, Sender sender, String expected) {
        FakeServer server = telling(protocol);
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true).open(withToken(server.url(), "own"));

        assertThat(answer(upstream, head(sender, null)).body()).isEqualTo("[" + expected + "] []");
    }

    @ParameterizedTest
    @CsvSource({
        "h2, OWN, [fairlead]",
        "h2, FRONT_PROXY, []",
        "h2, FRONT_PROXY_TRIAL, []",
        "http/1.1, OWN, [fairlead]",
        "http/1.1, FRONT_PROXY, []",
        "http/1.1, FRONT_PROXY_TRIAL, []"
    })
    void frontProxy_namesItselfInItsOwnRequestsAlone(String protocol, Sender sender, String user) {
        FakeServer server = telling(protocol);
        UpstreamSpec spec = asFrontProxy(server);
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true).open(spec);
        upstream.triedAsFrontProxy(spec, true);

        assertThat(answer(upstream, head(sender, null)).body()).isEqualTo("[] " + user);
    }

    /** A server that takes the certificate for a user's would take every caller for this side. */
    @Test
    void frontProxy_namesNoCallers_untilItsServersTakeItForOne_andNoLongerThanThat() {
        FakeServer server = telling("h2");
        UpstreamSpec spec = asFrontProxy(server);
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true).open(spec);

        assertThat(answer(upstream, head(Sender.FRONT_PROXY, null)).failure().kind())
                .isEqualTo(UpstreamFailure.Kind.CLOSED);
        upstream.triedAsFrontProxy(spec.asFrontProxy("another"), true);
        assertThat(answer(upstream, head(Sender.FRONT_PROXY, null)).failure().kind())
                .as("that was another configuration")
                .isEqualTo(UpstreamFailure.Kind.CLOSED);
        assertThat(server.accepted()).isZero();

        upstream.triedAsFrontProxy(spec, true);
        assertThat(answer(upstream, head(Sender.FRONT_PROXY, null)).body()).isEqualTo("[] []");
        upstream.triedAsFrontProxy(spec, false);
        assertThat(answer(upstream, head(Sender.FRONT_PROXY, null)).failure().kind())
                .isEqualTo(UpstreamFailure.Kind.IDENTITY);

        upstream.triedAsFrontProxy(spec, true);
        upstream.reconfigure(spec);
        assertThat(answer(upstream, head(Sender.FRONT_PROXY, null)).failure().kind())
                .as("each configuration is tried itself")
                .isEqualTo(UpstreamFailure.Kind.CLOSED);
    }

    /** On the new connections a head that names its caller in the old way would be a request of this side's own. */
    @ParameterizedTest
    @CsvSource({"h2, false", "h2, true", "http/1.1, false", "http/1.1, true"})
    void callerNamedInTheOldWay_isNotSentOnceAnotherIsConfigured(String protocol, boolean toFrontProxy) {
        FakeServer server = telling(protocol);
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true).open(of(server, !toFrontProxy));
        become(upstream, of(server, toFrontProxy));

        UpstreamFailure failure =
                answer(upstream, head(namedBy(!toFrontProxy), null)).failure();

        assertThat(failure.kind()).isEqualTo(UpstreamFailure.Kind.CLOSED);
        assertThat(failure.requestReached()).isFalse();
        assertThat(server.accepted()).isZero();
        assertThat(answer(upstream, head(namedBy(toFrontProxy), null)).body())
                .as("named in the new way")
                .isEqualTo(toFrontProxy ? "[] []" : "[Bearer own] []");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callerThatWaits_isNotSentOverConnectionsThatNameCallersInAnotherWay(boolean toFrontProxy) throws IOException {
        FakeServer other = telling("h2");
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            URI url = URI.create("https://127.0.0.1:" + silent.getLocalPort());
            UpstreamSpec first = toFrontProxy ? withToken(url, "own") : asFrontProxy(url);
            Upstream upstream = rig.client(UpstreamLimits.defaults(), true).open(first);
            upstream.triedAsFrontProxy(first, true);
            Recorder waiting = answer(upstream, head(namedBy(!toFrontProxy), null));
            Recorder own = answer(upstream, head(Sender.OWN, null));
            Socket dialled = silent.accept();

            become(upstream, of(other, toFrontProxy));
            dialled.close();

            assertThat(own.body()).isEqualTo(toFrontProxy ? "[] [fairlead]" : "[Bearer own] []");
            assertThat(waiting.failure().requestReached()).isFalse();
        }
    }

    /** The first connection is reset once the request is on it, and the upstream has other credentials by then. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callerThatIsSentAgain_isNotSentOverConnectionsThatNameCallersInAnotherWay(boolean toFrontProxy) {
        AtomicReference<Upstream> upstream = new AtomicReference<>();
        FakeServer other = telling("h2");
        FakeServer refusing = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                become(Objects.requireNonNull(upstream.get()), of(other, toFrontProxy));
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
            }
        });
        UpstreamSpec first = of(refusing, !toFrontProxy);
        upstream.set(rig.client(UpstreamLimits.defaults(), true).open(first));
        Objects.requireNonNull(upstream.get()).triedAsFrontProxy(first, true);

        UpstreamFailure failure = answer(Objects.requireNonNull(upstream.get()), head(namedBy(!toFrontProxy), null))
                .failure();

        assertThat(failure.requestReached()).isFalse();
        assertThat(refusing.accepted()).isEqualTo(1);
        assertThat(other.accepted()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void upgradeOfACallerNamedInTheOldWay_isNotSent(boolean toFrontProxy) throws Exception {
        FakeServer server = telling("http/1.1");
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true).open(of(server, !toFrontProxy));
        become(upstream, of(server, toFrontProxy));
        FailureReceiver receiver = new FailureReceiver();

        upstream.upgrade(head(namedBy(!toFrontProxy), null), "x", rig.loop(), receiver);

        assertThat(receiver.failure.get(20, TimeUnit.SECONDS).kind()).isEqualTo(UpstreamFailure.Kind.CLOSED);
        assertThat(server.accepted()).isZero();
    }

    /** Backends of APIServices are told callers as by a front proxy, and never with a token of this side's own. */
    @Test
    void callerOfABackend_isNotSentWithATokenOrAsAFrontProxysOwn() {
        FakeServer server = telling("h2");
        UpstreamClient client = rig.client(UpstreamLimits.defaults(), true);
        UpstreamSpec frontProxy = asFrontProxy(server);
        Upstream withUser = client.open(frontProxy);
        withUser.triedAsFrontProxy(frontProxy, true);

        assertThat(answer(client.open(withToken(server.url(), "own")), head(Sender.AGGREGATING, null))
                        .failure()
                        .kind())
                .isEqualTo(UpstreamFailure.Kind.CLOSED);
        assertThat(answer(withUser, head(Sender.AGGREGATING, null)).failure().kind())
                .isEqualTo(UpstreamFailure.Kind.CLOSED);
        assertThat(answer(client.open(withCertificate(server)), head(Sender.AGGREGATING, null))
                        .body())
                .isEqualTo("[] []");
    }

    private static Sender namedBy(boolean frontProxy) {
        return frontProxy ? Sender.FRONT_PROXY : Sender.IMPERSONATING;
    }

    private static UpstreamSpec of(FakeServer server, boolean frontProxy) {
        return frontProxy ? asFrontProxy(server) : withToken(server.url(), "own");
    }

    /** The new servers take the certificate for a front proxy's. */
    private static void become(Upstream upstream, UpstreamSpec spec) {
        upstream.reconfigure(spec);
        upstream.triedAsFrontProxy(spec, true);
    }

    private static UpstreamSpec asFrontProxy(FakeServer server) {
        return asFrontProxy(server.url());
    }

    private static UpstreamSpec asFrontProxy(URI url) {
        return withCertificate(url).asFrontProxy("fairlead");
    }

    /** A server would take it for a request of the holder of the certificate. */
    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void callersToken_goesOverNoConnectionWithAClientCertificate(String protocol) {
        FakeServer server = telling(protocol);
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true).open(withCertificate(server));

        assertThat(answer(upstream, head(Sender.CALLER, null)).failure().kind()).isEqualTo(UpstreamFailure.Kind.CLOSED);
        assertThat(server.accepted()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void requestMeantForCertainServers_goesToNoOthersThatTheUpstreamHasByNow(String protocol) {
        FakeServer accepting = telling(protocol);
        FakeServer other = telling(protocol);
        UpstreamSpec first = withToken(accepting.url(), "own");
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true).open(first);
        RequestHead head = head(Sender.CALLER, first.servers());
        assertThat(answer(upstream, head).body()).isEqualTo("[Bearer callers] []");

        upstream.reconfigure(withToken(accepting.url(), "another of our own"));
        assertThat(answer(upstream, head).body()).as("the same servers").isEqualTo("[Bearer callers] []");
        upstream.reconfigure(withToken(other.url(), "own"));
        UpstreamFailure failure = answer(upstream, head).failure();

        assertThat(failure.kind()).isEqualTo(UpstreamFailure.Kind.CLOSED);
        assertThat(failure.requestReached()).isFalse();
        assertThat(other.accepted()).isZero();
        assertThat(answer(upstream, head(Sender.CALLER, null)).body())
                .as("what is meant for all of them")
                .isEqualTo("[Bearer callers] []");
    }

    @Test
    void otherCa_orOtherName_isAnotherServer() {
        UpstreamSpec spec = withToken(URI.create("https://a"), "own");

        assertThat(withToken(URI.create("https://a"), "other").servers()).isEqualTo(spec.servers());
        assertThat(new UpstreamSpec(spec.endpoints(), "other CA", null, null, null, "own").servers())
                .isNotEqualTo(spec.servers());
        assertThat(new UpstreamSpec(spec.endpoints(), spec.caBundle(), "other", null, null, "own").servers())
                .isNotEqualTo(spec.servers());
        assertThat(new UpstreamSpec(
                                spec.endpoints(), spec.caBundle(), null, null, null, "own", URI.create("http://proxy"))
                        .servers())
                .isNotEqualTo(spec.servers());
    }

    /** It waits for a connection to servers that say nothing, and the upstream gets others meanwhile. */
    @Test
    void requestThatWaits_doesNotMoveToOtherServers() throws IOException {
        FakeServer other = telling("h2");
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            UpstreamSpec first = withToken(URI.create("https://127.0.0.1:" + silent.getLocalPort()), "own");
            Upstream upstream = rig.client(UpstreamLimits.defaults(), true).open(first);
            Recorder pinned = answer(upstream, head(Sender.CALLER, first.servers()));
            Recorder free = answer(upstream, head(Sender.OWN, null));
            silent.accept().close();

            upstream.reconfigure(withToken(other.url(), "own"));

            assertThat(free.body()).isEqualTo("[Bearer own] []");
            assertThat(pinned.failure().requestReached()).isFalse();
        }
    }

    @Test
    void upgradeMeantForCertainServers_goesToNoOthers() throws Exception {
        FakeServer other = telling("http/1.1");
        UpstreamSpec first = withToken(Rig.unusedUrl(), "own");
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true).open(first);
        upstream.reconfigure(withToken(other.url(), "own"));
        FailureReceiver receiver = new FailureReceiver();

        upstream.upgrade(head(Sender.CALLER, first.servers()), "x", rig.loop(), receiver);

        assertThat(receiver.failure.get(20, TimeUnit.SECONDS).kind()).isEqualTo(UpstreamFailure.Kind.CLOSED);
        assertThat(other.accepted()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"OWN, Bearer own", "IMPERSONATING, Bearer own", "CALLER, Bearer callers"})
    void upgrade_hasTheCredentialOfTheSenderAlone(Sender sender, String expected) throws Exception {
        CompletableFuture<List<String>> told = new CompletableFuture<>();
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                told.complete(request.headers().getAll("authorization"));
                Rig.text(ctx, 403, "");
            }
        });
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true).open(withToken(server.url(), "own"));

        upstream.upgrade(head(sender, null), "x", rig.loop(), new FailureReceiver());

        assertThat(told.get(20, TimeUnit.SECONDS)).containsExactly(expected);
    }

    private static Recorder answer(Upstream upstream, RequestHead head) {
        Recorder answer = new Recorder();
        upstream.send(head, Upstream.Kind.SHORT, null, answer);
        return answer;
    }

    private static RequestHead head(Sender sender, @Nullable Servers only) {
        Fields fields = new MutableFields()
                .add(FieldName.AUTHORIZATION, "Bearer callers")
                .toFields();
        return new RequestHead(HttpMethod.GET, "/", fields, 0, sender, only);
    }

    private static UpstreamSpec withToken(URI url, String token) {
        return new UpstreamSpec(List.of(url), Rig.PKI.caPem(), null, null, null, token);
    }

    private static UpstreamSpec withCertificate(FakeServer server) {
        return withCertificate(server.url());
    }

    private static UpstreamSpec withCertificate(URI url) {
        X509Bundle own = Rig.PKI.forClient("fairlead");
        return new UpstreamSpec(
                List.of(url), Rig.PKI.caPem(), null, own.getCertificatePathPEM(), own.getPrivateKeyPEM());
    }

    /** It answers with the credentials and the users that a request names. */
    private FakeServer telling(String protocol) {
        return rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                Rig.text(
                        ctx,
                        200,
                        Objects.toString(request.headers().getAll("authorization")) + " "
                                + request.headers().getAll("x-remote-user"));
            }
        });
    }
}
