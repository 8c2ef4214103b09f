package io.fairlead.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.http.Transport;
import io.fairlead.net.address.AddressPolicy;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.pkitesting.X509Bundle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A credential goes to the endpoints that it was given for. */
final class UpstreamCredentialTest {
    private static final Pki PKI = new Pki();

    private final EventLoopGroup loops = Transport.preferred().newGroup(1, "test");
    private final UpstreamClient client = new UpstreamClient(
            loops,
            Transport.preferred(),
            new AddressPolicy(List.of(), List.of(), true, List::of),
            UpstreamLimits.defaults());

    @AfterEach
    void closeAll() {
        client.close();
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void headMadeBeforeAReconfiguration_carriesTheNewEndpointsTokenAlone(String protocol) {
        try (FakeServer old = tellingTokens(protocol);
                FakeServer young = tellingTokens(protocol);
                Upstream upstream = client.open(withToken(old, "old"))) {
            upstream.reconfigure(withToken(young, "young"));

            assertThat(answerToOldToken(upstream)).isEqualTo("[Bearer young]");
        }
    }

    /** An error of a server's is shown in conditions and logs. */
    @Test
    void whatAServerSays_isShownWithoutTheTokenThatItRepeats() {
        try (FakeServer server = tellingTokens("http/1.1");
                Upstream upstream = client.open(withToken(server, "old"))) {
            assertThat(upstream.withoutCredential("Bearer old is expired"))
                    .isEqualTo("Bearer (the credential) is expired");

            upstream.reconfigure(withToken(server, "young"));

            assertThat(upstream.withoutCredential("young is unknown")).isEqualTo("(the credential) is unknown");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void headWithAToken_losesItWhereTheClientCertificateIsTheCredential(String protocol) {
        X509Bundle identity = PKI.forClient("fairlead");
        try (FakeServer server = tellingTokens(protocol);
                Upstream upstream = client.open(new UpstreamSpec(
                        List.of(server.url()),
                        PKI.caPem(),
                        null,
                        identity.getCertificatePathPEM(),
                        identity.getPrivateKeyPEM()))) {
            assertThat(answerToOldToken(upstream)).isEqualTo("[]");
        }
    }

    /** Signed by another CA, and for another name. */
    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void serverThatNeedNotBeVerified_isNot_andAllOthersAre(String protocol) {
        String otherCa = new Pki().caPem();
        try (FakeServer server = tellingTokens(protocol);
                Upstream unverified = client.open(unverified(server, otherCa, false));
                Upstream verified = client.open(unverified(server, otherCa, true))) {
            assertThat(answerToOldToken(unverified)).isEqualTo("[Bearer old]");
            assertThatThrownBy(() -> answerToOldToken(verified)).hasMessageContaining("certificate");
        }
    }

    private static UpstreamSpec unverified(FakeServer server, String ca, boolean isVerified) {
        return new UpstreamSpec(List.of(server.url()), ca, "other.example.com", null, null, null, null, isVerified);
    }

    @Test
    void configurationsThatWereNeverUsed_leaveNothingBehind() {
        try (FakeServer server = tellingTokens("h2");
                Upstream upstream = client.open(withToken(server, "first"))) {
            for (int i = 0; i < 100; i++) {
                upstream.reconfigure(withToken(server, "token" + i));
            }

            assertThat(((PooledUpstream) upstream).endingCount()).isZero();
        }
    }

    private static UpstreamSpec withToken(FakeServer server, String token) {
        return new UpstreamSpec(List.of(server.url()), PKI.caPem(), null, null, null, token);
    }

    private static String answerToOldToken(Upstream upstream) {
        Fields old =
                new MutableFields().add(FieldName.AUTHORIZATION, "Bearer old").toFields();
        RequestHead head = new RequestHead(HttpMethod.GET, "/", old, 0);
        Recorder answer = new Recorder();
        upstream.send(head, Upstream.Kind.SHORT, null, answer);
        return answer.body();
    }

    private static FakeServer tellingTokens(String protocol) {
        return new FakeServer(PKI.forLoopback(), protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                byte[] tokens = request.headers()
                        .getAll(HttpHeaderNames.AUTHORIZATION)
                        .toString()
                        .getBytes(StandardCharsets.UTF_8);
                var response = new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(tokens));
                response.headers().set(HttpHeaderNames.CONTENT_LENGTH, tokens.length);
                ctx.writeAndFlush(response);
            }
        });
    }
}
