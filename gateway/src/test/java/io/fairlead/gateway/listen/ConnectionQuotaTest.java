package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.limits.Limit;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whose connections count together. */
class ConnectionQuotaTest {
    private final ConnectionQuota quota = quota(null, 5);

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

    @Test
    void caller_hasAQuarterOfWhatIsPossible() {
        ConnectionQuota of8 = quota(null, 8);
        assertThat(of8.acquireFor("jane")).isTrue();
        assertThat(of8.acquireFor("jane")).isTrue();

        assertThat(of8.acquireFor("jane")).isFalse();
        assertThat(of8.acquireFor("mary")).isTrue();
        of8.releaseOf("jane");
        assertThat(of8.acquireFor("jane")).isTrue();
        assertThat(of8.acquireFor("jane")).isFalse();
    }

    @Test
    void caller_hasWhatIsConfigured_atLeastOne() {
        ConnectionQuota configured = quota(3, 8);
        for (int i = 0; i < 3; i++) {
            assertThat(configured.acquireFor("jane")).isTrue();
        }

        assertThat(configured.acquireFor("jane")).isFalse();
        assertThat(quota(null, 2).acquireFor("jane")).isTrue();
    }

    private static ConnectionQuota quota(@Nullable Integer perCallerMax, int max) {
        Map<String, Integer> given = new HashMap<>(Map.of("limits.connectionsPerAddressMax", 2));
        if (perCallerMax != null) {
            given.put("limits.connectionsPerCallerMax", perCallerMax);
        }
        return new ConnectionQuota(Limited.by(given).limits(), max);
    }

    private static InetAddress address(String literal) {
        return InetAddress.ofLiteral(literal);
    }
}
