package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whose connections count together. */
class ConnectionQuotaTest {
    private final ConnectionQuota quota =
            new ConnectionQuota(new EdgeLimits.Connections(99, 2, Duration.ofSeconds(1), Duration.ofSeconds(1)), 5);

    @Test
    void ipv6Addresses_ofOneBlock_countTogether() {
        assertThat(quota.acquire(address("2001:db8:0:1::1"))).isNull();
        assertThat(quota.acquire(address("2001:db8:0:1:ffff::2"))).isNull();

        assertThat(quota.acquire(address("2001:db8:0:1::3"))).isEqualTo(Limit.CONNECTIONS_PER_ADDRESS);
        assertThat(quota.acquire(address("2001:db8:0:2::1"))).isNull();
    }

    @Test
    void ipv4Addresses_countEachByItself() {
        assertThat(quota.acquire(address("192.0.2.1"))).isNull();
        assertThat(quota.acquire(address("192.0.2.1"))).isNull();

        assertThat(quota.acquire(address("192.0.2.1"))).isEqualTo(Limit.CONNECTIONS_PER_ADDRESS);
        assertThat(quota.acquire(address("192.0.2.2"))).isNull();
    }

    @Test
    void total_isWhatIsPossible_notWhatIsConfigured() {
        for (int i = 0; i < 5; i++) {
            assertThat(quota.acquire(address("192.0.2." + i))).isNull();
        }

        assertThat(quota.acquire(address("192.0.2.9"))).isEqualTo(Limit.CONNECTIONS);
    }

    @Test
    void releasedConnection_makesRoom() {
        quota.acquire(address("2001:db8::1"));
        quota.acquire(address("2001:db8::2"));
        quota.release(address("2001:db8::1"));

        assertThat(quota.acquire(address("2001:db8::3"))).isNull();
    }

    private static InetAddress address(String literal) {
        return InetAddress.ofLiteral(literal);
    }
}
