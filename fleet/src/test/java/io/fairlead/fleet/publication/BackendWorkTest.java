package io.fairlead.fleet.publication;

import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.publication.BackendWork.Task;
import io.fairlead.fleet.publication.Progress.Observed;
import io.fairlead.model.ClusterName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the publications of a backend are looked at. */
final class BackendWorkTest {
    private static final Task FIRST = new Task(PublishingTest.publication("a", "example.com", "v1"), false, "uid");
    private static final Task SECOND =
            new Task(PublishingTest.publication("b", "other.example.com", "v1"), false, "uid");
    private static final Progress FAILED = new Progress.Builder()
            .add(Step.ENDPOINTS, Observed.failed("Forbidden", "no right"))
            .build();
    private static final Progress DONE =
            new Progress.Builder().add(Step.AVAILABLE, Observed.done("1")).build();

    /** The looks at the first publication. */
    private final List<Long> looks = new CopyOnWriteArrayList<>();

    private volatile Progress seen = FAILED;
    private final CountDownLatch held = new CountDownLatch(1);
    private volatile boolean isHeld;

    private final BackendWork work = new BackendWork(
            new ClusterName("target"),
            "apis/gateway",
            (task, cluster) -> {
                if (task.isOf("b")) {
                    return DONE;
                }
                looks.add(System.nanoTime());
                if (isHeld) {
                    held.await();
                }
                return seen;
            },
            () -> {},
            Instant::now);

    @AfterEach
    void close() {
        work.close();
    }

    @Test
    void whatStaysMissing_isLookedAtLessAndLessOften_andTheOtherPublicationIsDone() {
        work.use(List.of(FIRST, SECOND));
        work.start();

        eventually("five looks", () -> looks.size() >= 5);

        Duration first = gap(1);
        assertThat(gap(2)).isGreaterThan(first.multipliedBy(3).dividedBy(2));
        assertThat(gap(3)).isGreaterThan(gap(2).multipliedBy(3).dividedBy(2));
        assertThat(work.progress("b")).isEqualTo(DONE);
    }

    @Test
    void change_isLookedAtAtOnce() {
        seen = DONE;
        work.use(List.of(FIRST));
        work.start();
        eventually("a look", () -> looks.size() == 1);

        work.wake();

        eventually("another one, long before its time", () -> looks.size() == 2);
    }

    /** What was seen of a withdrawal says nothing of what is published after it. */
    @Test
    void publicationThatIsWantedAgain_wasNotLookedAt() {
        seen = new Progress.Builder().add(Step.WITHDRAWN, Observed.done("")).build();
        work.use(List.of(new Task(FIRST.publication(), true, "uid")));
        work.start();
        eventually("it is withdrawn", () -> work.progress("a").isDone(Step.WITHDRAWN));

        isHeld = true;
        work.use(List.of(FIRST));
        assertThat(work.progress("a")).isEqualTo(Progress.NONE);
        eventually("it is being published", () -> looks.size() == 2);
        work.use(List.of(new Task(FIRST.publication(), true, "uid")));

        assertThat(work.progress("a").isDone(Step.WITHDRAWN)).isFalse();
        seen = DONE;
        held.countDown();
        eventually("the look that ran is over", () -> looks.size() > 2);
    }

    /** One that took the place of another one under the same name. */
    @Test
    void whatWasObservedOfAnotherTarget_countsNoMore() {
        seen = DONE;
        work.use(List.of(FIRST));
        work.start();
        eventually("it is done", () -> work.progress("a").equals(DONE));
        seen = FAILED;

        work.use(List.of(new Task(FIRST.publication(), false, "uid of another")));

        assertThat(work.progress("a")).isIn(Progress.NONE, FAILED);
        eventually("it is looked at", () -> work.progress("a").equals(FAILED));
    }

    /** Many groups of one source are published no later than one. */
    @Test
    void publicationsOfABackend_areLookedAtTogether() {
        var both = new CountDownLatch(2);
        try (var together = work((_, _) -> {
            both.countDown();
            both.await();
            return DONE;
        })) {
            together.use(List.of(FIRST, SECOND));
            together.start();

            eventually(
                    "both are done",
                    () -> together.progress("a").equals(DONE)
                            && together.progress("b").equals(DONE));
        }
    }

    /** It takes the Service away unless another publication has it, which must not change meanwhile. */
    @Test
    void withdrawnPublication_isLookedAtAlone() {
        var withdrawing = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        List<Long> publishedBefore = new CopyOnWriteArrayList<>();
        try (var mixed = work((task, _) -> {
            if (task.isWithdrawn()) {
                withdrawing.countDown();
                released.await();
            } else {
                publishedBefore.add(released.getCount());
            }
            return FAILED;
        })) {
            mixed.use(List.of(FIRST, new Task(SECOND.publication(), true, "uid")));
            mixed.start();
            eventually("it is withdrawn", () -> withdrawing.getCount() == 0);
            assertThat(publishedBefore).isEmpty();
            released.countDown();

            eventually("the other one is looked at", () -> !publishedBefore.isEmpty());
            assertThat(publishedBefore).containsOnly(0L);
        }
    }

    @Test
    void failureOfALook_isNotTheLastOne() {
        var count = new AtomicInteger();
        try (var failing = work((_, _) -> {
            if (count.incrementAndGet() == 1) {
                throw new IllegalArgumentException("of a test");
            }
            return DONE;
        })) {
            failing.use(List.of(FIRST));
            failing.start();

            eventually("it is looked at again", () -> failing.progress("a").equals(DONE));
        }
    }

    private static BackendWork work(BackendWork.Looks looks) {
        return new BackendWork(new ClusterName("target"), "apis/gateway", looks, () -> {}, Instant::now);
    }

    private Duration gap(int look) {
        return Duration.ofNanos(looks.get(look + 1) - looks.get(look));
    }
}
