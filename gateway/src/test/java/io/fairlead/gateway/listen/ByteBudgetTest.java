package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which clients make room when too much is held for all of them. */
class ByteBudgetTest {
    private static final int BUDGET = 800;

    private long now;
    private final ByteBudget budget = new ByteBudget(BUDGET, () -> now);
    private final List<String> closed = new ArrayList<>();

    @Test
    void bytesWithinTheBudget_closeNobody() {
        part("a").hold(400, true);
        part("b").hold(400, true);

        assertThat(closed).isEmpty();
        assertThat(budget.total()).isEqualTo(800);
    }

    @Test
    void bytesBeyondTheBudget_closeTheLargest() {
        part("small").hold(10, true);
        part("large").hold(500, true);
        part("last").hold(300, true);

        assertThat(closed).containsExactly("large");
        assertThat(budget.total()).isEqualTo(310);
    }

    @Test
    void ofThoseAsLarge_theOldestIsClosed() {
        part("first").hold(300, true);
        pass(10);
        part("second").hold(300, true);
        pass(10);
        part("third").hold(300, true);

        assertThat(closed).containsExactly("first");
    }

    @Test
    void bytesBeyondTheBudget_closeTheOldestOfTheCallerWithTheMost() {
        part("dev", "ann", "large and old").hold(250, true);
        pass(10);
        part("dev", "eve", "old").hold(190, true);
        pass(10);
        part("dev", "eve", "young").hold(190, true);
        part("dev", "eve", "last").hold(180, true);

        assertThat(closed).containsExactly("old");
    }

    @Test
    void callerOfManyNames_doesNotHideBehindThem() {
        part("dev", "ann", "large and old").hold(300, true);
        pass(10);
        part("evil", "eve-1", "old").hold(260, true);
        pass(10);
        part("evil", "eve-2", "young").hold(250, true);

        assertThat(closed).containsExactly("old");
    }

    @Test
    void partThatBeganAnew_isYoung() {
        ByteBudget.Part upload = part("upload");
        upload.hold(300, true);
        ByteBudget.Part head = part("head");
        head.hold(300, true);
        pass(10);
        upload.hold(300, true);
        head.hold(301, false);
        pass(1);
        part("last").hold(300, true);

        assertThat(closed).containsExactly("head");
    }

    @Test
    void beyondTheBudget_manyAreClosedAtOnce_untilAPartOfItIsFree() {
        for (int i = 0; i < 80; i++) {
            part("part " + i).hold(10, true);
            pass(1);
        }
        part("last").hold(1, true);

        assertThat(budget.total()).isLessThanOrEqualTo(BUDGET * 7 / 8);
        assertThat(closed).hasSize(11).contains("part 0", "part 10");
    }

    @Test
    void closedPart_countsNoMore() {
        ByteBudget.Part part = part("a");
        part.hold(100, true);
        part.end();
        part.hold(100, false);

        assertThat(budget.total()).isZero();
    }

    private ByteBudget.Part part(String name) {
        return budget.part(() -> closed.add(name));
    }

    private ByteBudget.Part part(String cluster, String caller, String name) {
        return budget.part(() -> new ByteBudget.Holder(cluster, caller), _ -> closed.add(name));
    }

    private void pass(int millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
