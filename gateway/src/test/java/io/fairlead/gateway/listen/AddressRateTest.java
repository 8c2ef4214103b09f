package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AddressRateTest {
    private final AtomicLong nanoTime = new AtomicLong();
    private final AddressRate rate = new AddressRate(2, nanoTime::get);

    @Test
    void allows_isCountedByAddressAndSecond() {
        InetAddress one = InetAddress.ofLiteral("10.0.0.1");
        InetAddress other = InetAddress.ofLiteral("10.0.0.2");

        assertThat(rate.allows(one)).isTrue();
        assertThat(rate.allows(one)).isTrue();
        assertThat(rate.isBeyond(one)).isFalse();
        assertThat(rate.allows(one)).isFalse();
        assertThat(rate.isBeyond(one)).isTrue();
        assertThat(rate.allows(other)).isTrue();

        nanoTime.addAndGet(1_000_000_000L);
        assertThat(rate.isBeyond(one)).isFalse();
        assertThat(rate.allows(one)).isTrue();
    }

    @Test
    void addressesOfOneHost_areOne() {
        assertThat(rate.allows(InetAddress.ofLiteral("2001:db8::1"))).isTrue();
        assertThat(rate.allows(InetAddress.ofLiteral("2001:db8::2"))).isTrue();
        assertThat(rate.allows(InetAddress.ofLiteral("2001:db8::3"))).isFalse();
        assertThat(rate.allows(InetAddress.ofLiteral("2001:db8:0:1::1"))).isTrue();
    }

    @Test
    void addressesBeyondWhatIsCounted_areTooMany_untilTheSecondEnds() {
        for (int i = 0; i < 100_000; i++) {
            assertThat(rate.allows(address(i))).isTrue();
        }
        assertThat(rate.allows(address(100_000))).isFalse();
        assertThat(rate.allows(address(0))).isTrue();

        nanoTime.addAndGet(1_000_000_000L);
        assertThat(rate.allows(address(100_000))).isTrue();
    }

    private static InetAddress address(int number) {
        return InetAddress.ofLiteral("10." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255));
    }
}
