package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which connections make room when too much is held of what is not complete. */
class UnparsedBytesTest {
    private static final int BUDGET = 800;

    private long now;
    private final UnparsedBytes unparsed = new UnparsedBytes(BUDGET, () -> now);
    private final List<String> closed = new ArrayList<>();

    @Test
    void bytesWithinTheBudget_closeNobody() {
        part("a").hold(400, true);
        part("b").hold(400, true);

        assertThat(closed).isEmpty();
        assertThat(unparsed.total()).isEqualTo(800);
    }

    @Test
    void bytesBeyondTheBudget_closeTheLargest() {
        part("small").hold(10, true);
        part("large").hold(500, true);
        part("last").hold(300, true);

        assertThat(closed).containsExactly("large");
        assertThat(unparsed.total()).isEqualTo(310);
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
    void partThatBeganAnew_isYoung() {
        UnparsedBytes.Part upload = part("upload");
        upload.hold(300, true);
        UnparsedBytes.Part head = part("head");
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

        assertThat(unparsed.total()).isLessThanOrEqualTo(BUDGET * 7 / 8);
        assertThat(closed).hasSize(11).contains("part 0", "part 10");
    }

    @Test
    void closedPart_countsNoMore() {
        UnparsedBytes.Part part = part("a");
        part.hold(100, true);
        part.end();
        part.hold(100, false);

        assertThat(unparsed.total()).isZero();
    }

    private UnparsedBytes.Part part(String name) {
        return unparsed.part(() -> closed.add(name));
    }

    private void pass(int millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
