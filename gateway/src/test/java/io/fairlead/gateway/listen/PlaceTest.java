package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.limits.Limit;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which connection gives up its place when there is none left, and that each place is given back once. */
class PlaceTest {
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress OTHER_ADDRESS = InetAddress.ofLiteral("192.0.2.7");
    private static final int MAX = 3;

    private final ConnectionQuota quota = new ConnectionQuota(
            Limited.by(Map.of("limits.connectionsPerAddressMax", MAX, "limits.connectionsPerCallerMax", 1))
                    .limits(),
            MAX);
    private final Strangers strangers = new Strangers();
    private final List<String> closed = new ArrayList<>();

    @Test
    void oldestStranger_isClosedFirst_andEachOnce() {
        opened("first");
        opened("second");

        assertThat(strangers.closeOldest()).isTrue();
        assertThat(strangers.closeOldest()).isTrue();
        assertThat(strangers.closeOldest()).isFalse();
        assertThat(closed).containsExactly("first", "second");
    }

    @Test
    void addressWithMostStrangers_losesOne_howeverLongAnotherHasWaited() {
        openedFrom(OTHER_ADDRESS, "another's");
        opened("first");
        opened("second");

        assertThat(strangers.closeOldest()).isTrue();
        assertThat(closed).containsExactly("first");
        assertThat(strangers.closeOldest()).isTrue();
        assertThat(closed).as("as many of each: the older").containsExactly("first", "another's");
        assertThat(strangers.closeOldest()).isTrue();
        assertThat(strangers.closeOldest()).isFalse();
    }

    @Test
    void connectionOfACaller_staysOpen() {
        Place jane = opened("jane's");
        opened("a stranger's");
        assertThat(jane.isTakenBy("jane")).isTrue();
        assertThat(jane.isTakenBy("jane")).isTrue();

        assertThat(strangers.closeOldest()).isTrue();
        assertThat(strangers.closeOldest()).isFalse();
        assertThat(closed).containsExactly("a stranger's");
    }

    @Test
    void connectionThatItsCallerMayNotHave_isAStrangersStill() {
        assertThat(opened("one").isTakenBy("jane")).isTrue();
        Place another = opened("another");
        assertThat(another.isTakenBy("jane")).isFalse();

        assertThat(another.isTakenBy("mary")).isTrue();
        assertThat(opened("third").isTakenBy("jane")).isFalse();
        assertThat(strangers.closeOldest()).isTrue();
        assertThat(closed).containsExactly("third");
    }

    @Test
    void connectionOfACaller_isAnotherCallersToo_andCountsForTheFirst() {
        Place shared = opened("a proxy's");
        assertThat(shared.isTakenBy("jane")).isTrue();
        assertThat(shared.isTakenBy("mary")).isTrue();

        assertThat(opened("mary's").isTakenBy("mary")).isTrue();
        shared.leave();
        assertThat(opened("jane's").isTakenBy("jane")).isTrue();
    }

    @Test
    void placeThatIsLeftTwice_isGivenBackOnce() {
        for (int i = 0; i < MAX; i++) {
            opened("of " + i);
        }
        Place jane = replaceOldest("jane's");
        assertThat(jane.isTakenBy("jane")).isTrue();
        jane.leave();
        jane.leave();

        opened("next");
        assertThat(quota.acquire(OTHER_ADDRESS)).isEqualTo(Limit.CONNECTIONS);
        assertThat(replaceOldest("jane's again").isTakenBy("jane")).isTrue();
        assertThat(replaceOldest("jane's third").isTakenBy("jane")).isFalse();
    }

    @Test
    void connectionThatWasClosedForAnother_takesNothingOfItsCaller() {
        Place late = opened("late");
        assertThat(strangers.closeOldest()).isTrue();

        assertThat(late.isTakenBy("jane")).isTrue();
        assertThat(opened("in time").isTakenBy("jane")).isTrue();
    }

    private Place replaceOldest(String name) {
        assertThat(strangers.closeOldest()).isTrue();
        return opened(name);
    }

    private Place opened(String name) {
        return openedFrom(ADDRESS, name);
    }

    private Place openedFrom(InetAddress address, String name) {
        assertThat(quota.acquire(address)).isNull();
        return Place.of(quota, address, strangers, () -> closed.add(name));
    }
}
