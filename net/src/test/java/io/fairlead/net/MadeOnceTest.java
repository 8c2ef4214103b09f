package io.fairlead.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MadeOnceTest {
    private final AtomicInteger attempts = new AtomicInteger();
    private final MadeOnce<Integer> made = new MadeOnce<>(() -> {
        if (attempts.incrementAndGet() == 1) {
            throw new StackOverflowError("of the test");
        }
        return attempts.get();
    });

    @Test
    void failure_isToldOnce_andWhatIsMadeStays() throws Exception {
        assertThatThrownBy(() -> made.get().get(10, TimeUnit.SECONDS)).hasMessageContaining("of the test");

        assertThat(made.get().get(10, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(made.get().get(10, TimeUnit.SECONDS)).isEqualTo(2);
    }
}
