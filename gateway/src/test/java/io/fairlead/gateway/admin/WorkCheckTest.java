package io.fairlead.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.Supervised;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The gateway is not ready while work pauses that keeps it up to date. */
class WorkCheckTest {
    @Test
    void workThatFailed_failsTheCheckUntilItGoesOn() throws Exception {
        List<Supervised> all = new CopyOnWriteArrayList<>();
        WorkCheck check = new WorkCheck(all);
        AtomicReference<String> meanwhile = new AtomicReference<>("");
        CountDownLatch again = new CountDownLatch(2);
        Supervised work = new Supervised(
                "fleet",
                Thread.ofVirtual(),
                () -> {
                    again.countDown();
                    if (again.getCount() > 0) {
                        throw new OutOfMemoryError("of the test");
                    }
                    Thread.currentThread().join();
                },
                (_, _) -> meanwhile.set(check.failure().orElse("")));
        all.add(work);
        assertThat(check.failure()).isEmpty();

        work.start();
        assertThat(again.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(meanwhile.get()).isEqualTo("fleet: java.lang.OutOfMemoryError: of the test");
        assertThat(check.failure()).isEmpty();
        work.close(Duration.ofSeconds(20));
    }
}
