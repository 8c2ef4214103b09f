package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whose work is done first. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TurnsTest {
    private static final AddressBlock FLOOD = block("192.0.2.1");
    private static final AddressBlock OTHER = block("192.0.2.2");
    private static final AddressBlock THIRD = block("192.0.2.3");

    private final EventLoop loop = new DefaultEventLoop();
    private final Turns turns = new Turns(loop);
    private final List<String> done = new ArrayList<>();

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void addresses_comeInTurn_andEachOnesWorkInOrder() {
        onLoop(() -> {
            add(FLOOD, "flood 1");
            add(FLOOD, "flood 2");
            add(FLOOD, "flood 3");
            add(OTHER, "other 1");
            add(OTHER, "other 2");
            add(THIRD, "third 1");
        });

        awaitAll();

        assertThat(done).containsExactly("flood 1", "other 1", "third 1", "flood 2", "other 2", "flood 3");
    }

    @Test
    void workThatFails_keepsNoneFromItsTurn() {
        onLoop(() -> {
            turns.add(FLOOD, () -> {
                throw new IllegalStateException("thrown on purpose");
            });
            add(FLOOD, "after it");
            add(OTHER, "other");
        });

        awaitAll();

        assertThat(done).containsExactlyInAnyOrder("after it", "other");
    }

    @Test
    void workOfManySlices_letsTheLoopDoOtherThings() {
        int[] left = {50};
        onLoop(() -> {
            for (int i = 0; i < left[0]; i++) {
                turns.add(FLOOD, () -> {
                    left[0]--;
                    spendMoreThanASlice();
                });
            }
        });

        int[] seen = new int[1];
        onLoop(() -> seen[0] = left[0]);

        assertThat(seen[0]).isPositive();
        awaitAll();
        assertThat(left[0]).isZero();
    }

    private static void spendMoreThanASlice() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Until a piece of work that comes last of all has been done. */
    private void awaitAll() {
        AddressBlock last = block("192.0.2.9");
        for (int i = 0; i < 100; i++) {
            List<Boolean> did = new ArrayList<>();
            onLoop(() -> turns.add(last, () -> did.add(true)));
            while (onLoopIs(did)) {
                Thread.onSpinWait();
            }
        }
    }

    private boolean onLoopIs(List<Boolean> did) {
        boolean[] isEmpty = new boolean[1];
        onLoop(() -> isEmpty[0] = did.isEmpty());
        return isEmpty[0];
    }

    private void add(AddressBlock address, String name) {
        turns.add(address, () -> done.add(name));
    }

    private void onLoop(Runnable task) {
        loop.submit(task).syncUninterruptibly();
    }

    private static AddressBlock block(String literal) {
        return AddressBlock.of(InetAddress.ofLiteral(literal));
    }
}
