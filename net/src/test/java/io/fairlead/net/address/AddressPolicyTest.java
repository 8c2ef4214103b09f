package io.fairlead.net.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses may be connected to. */
final class AddressPolicyTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.1.1",
                "fe80::1",
                "::ffff:169.254.169.254",
                "100.100.100.200",
                "168.63.129.16",
                "fd00:ec2::254",
                "0.0.0.0",
                "::",
                "224.0.0.1",
                "ff02::1",
                "64:ff9b::169.254.169.254",
                "64:ff9b:1::169.254.169.254",
                "2002:a9fe:a9fe::1",
                "::169.254.169.254",
                "64:ff9b::168.63.129.16"
            })
    void someAddresses_areAlwaysRefused(String address) {
        AddressPolicy policy =
                new AddressPolicy(List.of(Cidr.parse("0.0.0.0/0"), Cidr.parse("::/0")), List.of(), true, List::of);

        assertThat(policy.refusal(at(address, 443))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.8.9.10", "::1"})
    void loopback_needsToBeAllowed(String address) {
        assertThat(policy(false).refusal(at(address, 443)))
                .hasValueSatisfying(why -> assertThat(why).contains("allowLoopback"));
        assertThat(policy(true).refusal(at(address, 443))).isEmpty();
    }

    @Test
    void privateAddresses_areAllowedUnlessDenied() {
        AddressPolicy policy = new AddressPolicy(List.of(), List.of(Cidr.parse("10.1.0.0/16")), false, List::of);

        assertThat(policy.refusal(at("10.2.0.1", 443))).isEmpty();
        assertThat(policy.refusal(at("10.1.255.255", 443))).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "64:ff9b::10.1.0.1, it leads to 10.1.0.1: upstream.deniedAddresses",
        "2002:0a01:0001::, it leads to 10.1.0.1: upstream.deniedAddresses",
        "64:ff9b::127.0.0.1, it leads to 127.0.0.1: loopback addresses need upstream.allowLoopback"
    })
    void addressInsideAnother_isRefusedLikeItself(String address, String why) {
        AddressPolicy policy = new AddressPolicy(List.of(), List.of(Cidr.parse("10.1.0.0/16")), false, List::of);

        assertThat(policy.refusal(at(address, 443)))
                .hasValueSatisfying(refusal -> assertThat(refusal).startsWith(why));
        assertThat(policy.refusal(at("64:ff9b::10.2.0.1", 443))).isEmpty();
        assertThat(policy.refusal(at("2001:db8::1", 443))).isEmpty();
    }

    @Test
    void allowedRanges_excludeEverythingElse() {
        AddressPolicy policy = new AddressPolicy(List.of(Cidr.parse("10.0.0.0/8")), List.of(), false, List::of);

        assertThat(policy.refusal(at("10.2.0.1", 443))).isEmpty();
        assertThat(policy.refusal(at("192.0.2.1", 443))).isPresent();
    }

    @Test
    void onlyPolicy_permitsNothingElse_notEvenWithoutRanges() {
        AddressPolicy none = AddressPolicy.only(List.of(), "some.key", List.of(), List::of);
        AddressPolicy some = AddressPolicy.only(
                List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("127.0.0.2")),
                "some.key",
                List.of(Cidr.parse("10.1.0.0/16")),
                () -> List.of(at("10.0.0.9", 443)));

        assertThat(none.refusal(at("127.0.0.1", 443))).contains("some.key has no block of loopback addresses alone");
        assertThat(none.refusal(at("10.0.0.1", 443))).contains("some.key does not contain it");
        assertThat(some.refusal(at("11.0.0.1", 443))).contains("some.key does not contain it");
        assertThat(some.refusal(at("127.0.0.1", 443))).contains("some.key does not contain it");
        assertThat(some.refusal(at("10.1.0.1", 443))).contains("upstream.deniedAddresses contains it");
        assertThat(some.refusal(at("10.0.0.9", 443))).contains("Fairlead itself listens there");
        assertThat(some.refusal(at("10.0.0.1", 443))).isEmpty();
        assertThat(some.refusal(at("127.0.0.2", 443))).isEmpty();
        AddressPolicy wide = AddressPolicy.only(
                List.of(Cidr.parse("0.0.0.0/0"), Cidr.parse("::/0")), "some.key", List.of(), List::of);
        assertThat(wide.refusal(at("127.0.0.1", 443))).isPresent();
        assertThat(wide.refusal(at("::1", 443))).isPresent();
        assertThat(wide.refusal(at("11.0.0.1", 443))).isEmpty();
    }

    @Test
    void ownListener_isRefused_alsoBehindTheUnspecifiedAddress() {
        AddressPolicy exact = new AddressPolicy(List.of(), List.of(), true, () -> List.of(at("127.0.0.1", 8443)));
        AddressPolicy any = new AddressPolicy(List.of(), List.of(), true, () -> List.of(at("0.0.0.0", 8443)));

        assertThat(exact.refusal(at("127.0.0.1", 8443))).isPresent();
        assertThat(exact.refusal(at("127.0.0.1", 6443))).isEmpty();
        assertThat(any.refusal(at("127.0.0.1", 8443))).isPresent();
        assertThat(any.refusal(at("192.0.2.1", 8443))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "192.168.1.128/25, 192.168.1.127, false",
        "192.168.1.128/25, 192.168.1.128, true",
        "192.168.1.1, 192.168.1.1, true",
        "0.0.0.0/0, 8.8.8.8, true",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fe00::1, false",
        "10.0.0.0/8, fd00::1, false",
        "::ffff:10.0.0.0/104, 10.1.2.3, true",
        "::ffff:10.0.0.0/104, 11.0.0.0, false",
        "::ffff:10.1.2.3, 10.1.2.3, true",
        "10.0.0.0/8, ::ffff:10.1.2.3, true"
    })
    void range_contains(String range, String address, boolean contained) {
        assertThat(Cidr.parse(range).contains(at(address, 1).getAddress())).isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "example.com", "fd00::/129"})
    void malformedRange_isRefused(String text) {
        assertThatThrownBy(() -> Cidr.parse(text)).hasMessageContaining("\"" + text + "\"");
    }

    private static AddressPolicy policy(boolean allowLoopback) {
        return new AddressPolicy(List.of(), List.of(), allowLoopback, List::of);
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }
}
