package io.fairlead.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many clients may be connected, and what an operator is told where that is less than configured. */
class ConnectionRoomTest {
    private static final long PLENTY = 1L << 40;

    @Test
    void tooFewDescriptors_areToldWithBothNumbers() {
        ConnectionRoom room = new ConnectionRoom(10_000, 1_024, PLENTY);

        assertThat(room.possible()).isEqualTo(768);
        assertThat(room.advice())
                .isEqualTo("raise the limit of open files (ulimit -n, or LimitNOFILE of a systemd unit) from 1024 to"
                        + " 13333, or lower limits.connectionsMax from 10000 to 768");
    }

    @Test
    void tooLittleMemory_isToldWithBothNumbers() {
        ConnectionRoom room = new ConnectionRoom(10_000, 1L << 30, 8_192 * 100);

        assertThat(room.possible()).isEqualTo(100);
        assertThat(room.advice())
                .isEqualTo("raise the memory of buffers (-XX:MaxDirectMemorySize) until 81920000 bytes are for"
                        + " connections instead of 819200, or lower limits.connectionsMax from 10000 to 100");
    }

    @Test
    void enoughOfBoth_needsNoAdvice() {
        ConnectionRoom room = new ConnectionRoom(10_000, 13_333, PLENTY);

        assertThat(room.possible()).isEqualTo(10_000);
        assertThat(room.advice()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 255, 768, 769, 770, 771, 10_000, 1_000_000})
    void asManyDescriptorsAsAreExpected_areEnough_andOneLessIsNot(int clients) {
        long expected = ClientDescriptors.expectedFor(clients);

        assertThat(ClientDescriptors.forClients(expected)).isGreaterThanOrEqualTo(clients);
        assertThat(new ConnectionRoom(clients, expected, PLENTY).possible()).isEqualTo(clients);
        if (clients > 256) {
            assertThat(ClientDescriptors.forClients(expected - 1)).isLessThan(clients);
        }
    }
}
