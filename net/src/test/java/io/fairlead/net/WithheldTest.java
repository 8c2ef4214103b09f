package io.fairlead.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.net.UpstreamFailure.Kind;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.net.address.Cidr;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What failures keep from those who register clusters, and from those who only use them. */
final class WithheldTest {
    private static final Endpoint ENDPOINT = Rig.endpoint(URI.create("https://10.0.0.1:8443"));
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    @Test
    void portOfAnAddressThatIsNotNamed_looksAlikeWhetherItIsOpen() {
        Stream<UpstreamFailure> closed = Stream.of(
                        new ConnectException("Connection refused: /10.0.0.1:8443"),
                        new ConnectTimeoutException("timed out"),
                        new ConnectException("No route to host"))
                .map(cause -> Failures.connecting(ENDPOINT, cause, TIMEOUT, false));
        Stream<UpstreamFailure> open = Stream.of(
                        new NotSslRecordException("HTTP/1.1 400"),
                        new SslHandshakeTimeoutException("late"),
                        new ClosedChannelException())
                .map(cause -> Failures.handshaking(ENDPOINT, cause, TIMEOUT, false));

        assertThat(Stream.concat(closed, open).distinct())
                .containsExactly(Failures.handshakeTimeout(ENDPOINT, TIMEOUT, false));
    }

    @Test
    void serverThatSpeaksTls_isToldOf() {
        assertThat(Failures.handshaking(ENDPOINT, new SSLHandshakeException("protocol_version"), TIMEOUT, false)
                        .message())
                .contains("protocol_version");
    }

    @Test
    void certificateOfAnAddressThatIsNotNamed_isToldOfWithoutWhatItSays() {
        CertificateRefused refused = new CertificateRefused(
                "a certificate for \"vault.internal\", which is not the host asked for",
                "a certificate that is not for the host asked for",
                new CertificateException());

        assertThat(Failures.handshaking(ENDPOINT, refused, TIMEOUT, false).message())
                .isEqualTo(
                        "https://10.0.0.1:8443 presents a certificate that is not for the host asked for (details are"
                                + " withheld: upstream.allowedAddresses does not name this address)");
        assertThat(Failures.handshaking(ENDPOINT, refused, TIMEOUT, true).message())
                .contains("vault.internal");
    }

    @Test
    void addressThatANameStandsFor_isNotToldOf() {
        Endpoint name = Rig.endpoint(URI.create("https://vault.internal:8443"));

        assertThat(Failures.denied(name, "10.9.8.7", "upstream.deniedAddresses contains it")
                        .message())
                .isEqualTo("https://vault.internal:8443: connecting to what the host \"vault.internal\" resolves to is"
                        + " refused: upstream.deniedAddresses contains it");
        assertThat(Failures.denied(ENDPOINT, "10.0.0.1", "upstream.deniedAddresses contains it")
                        .message())
                .contains("connecting to 10.0.0.1 is refused");
    }

    @Test
    void addressThatIsNamed_isToldOf() {
        assertThat(Failures.connecting(ENDPOINT, new ConnectException("Connection refused"), TIMEOUT, true)
                        .message())
                .isEqualTo("https://10.0.0.1:8443 refuses connections");
        assertThat(Failures.handshaking(ENDPOINT, new NotSslRecordException("x"), TIMEOUT, true)
                        .message())
                .isEqualTo("https://10.0.0.1:8443 does not speak TLS");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true, '', true",
        "127.0.0.1, false, 127.0.0.0/8, false",
        "::1, true, '', true",
        "10.0.0.1, true, '', false",
        "10.0.0.1, true, 10.0.0.0/8, true",
        "fd00::1, true, 10.0.0.0/8, false"
    })
    void address_isNamedByTheConfigurationAlone(String address, boolean loopback, String allowed, boolean named) {
        List<Cidr> ranges = allowed.isEmpty() ? List.of() : List.of(Cidr.parse(allowed));

        assertThat(new AddressPolicy(ranges, List.of(), loopback, List::of).names(InetAddress.ofLiteral(address)))
                .isEqualTo(named);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void messageForCallers_saysNotWhereTheServerIs(Kind kind) {
        for (String endpoint : List.of("https://10.0.0.1:8443", "https://kube.internal", "https://[fd00::1]:6443")) {
            for (String message : List.of(
                    endpoint + " refuses connections",
                    "there was no free connection to " + endpoint + " within 3 s",
                    endpoint + ": the host does not resolve")) {
                assertThat(new UpstreamFailure(kind, message, false).withoutAddress())
                        .contains("its API server")
                        .doesNotContain("10.0.0.1", "kube.internal", "fd00", "443");
            }
        }
    }
}
