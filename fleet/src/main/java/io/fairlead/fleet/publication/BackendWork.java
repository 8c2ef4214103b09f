package io.fairlead.fleet.publication;

import io.fairlead.fleet.root.WorkLog;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Supervised;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all publications that have one backend in one target. A publication that is not complete is
 * looked at again after a pause, which doubles as long as the same is missing; one that is, now and then.
 *
 * <p>Threads: one virtual thread, and for a while one more for each publication; the methods are for any.
 */
final class BackendWork implements AutoCloseable {
    static final Duration PAUSE_MIN = Duration.ofMillis(250);
    /** Publications that are looked at together: each asks the target for one thing at a time. */
    private static final int TOGETHER_MAX = 16;

    static final Duration PAUSE_MAX = Duration.ofSeconds(30);

    private final ClusterName cluster;
    private final Looks looks;
    private final Runnable looked;
    private final InstantSource clock;
    private final BlockingQueue<Boolean> wake = new ArrayBlockingQueue<>(1);
    private final Map<String, Progress> progress = new ConcurrentHashMap<>();
    private final Supervised work;

    /** By the uid of a publication; confined to the thread. */
    private final Map<String, Wait> waits = new HashMap<>();

    private volatile List<Task> tasks = List.of();

    /**
     * A publication to look at.
     *
     * @param target which cluster the target is: what was observed of another one counts no more
     */
    record Task(Publication publication, boolean isWithdrawn, String target) {
        boolean isOf(String uid) {
            return publication.uid().equals(uid);
        }
    }

    /** Looks at a publication in a cluster. */
    @FunctionalInterface
    interface Looks {
        Progress at(Task task, ClusterName cluster) throws InterruptedException;
    }

    /** What was observed of a publication in its last two looks. */
    private record Looked(String uid, Progress before, Progress seen) {}

    /** When a publication is looked at again, and the pause before. */
    private record Wait(Instant until, Duration pause) {
        /** A clock that was set back lengthens no pause. */
        Duration left(Instant now) {
            Duration left = Duration.between(now, until);
            return left.compareTo(PAUSE_MAX) > 0 ? Duration.ZERO : left;
        }

        boolean isOver(Instant now) {
            return !left(now).isPositive();
        }
    }

    /**
     * Work that has not started.
     *
     * @param looked called after every look; must not block
     */
    BackendWork(ClusterName cluster, String backend, Looks looks, Runnable looked, InstantSource clock) {
        this.cluster = cluster;
        this.looks = looks;
        this.looked = looked;
        this.clock = clock;
        this.work =
                new Supervised("publication-" + cluster + "/" + backend, Thread.ofVirtual(), this::run, new WorkLog());
    }

    void start() {
        work.start();
    }

    /**
     * Has other publications looked at from now on, at once if they are not the same as before. What was observed of one that is
     * published, and no more withdrawn, or the other way round, counts no more.
     */
    void use(List<Task> now) {
        List<Task> before = tasks;
        if (now.equals(before)) {
            return;
        }
        tasks = List.copyOf(now);
        progress.keySet().removeIf(uid -> before.stream().noneMatch(task -> task.isOf(uid) && isKept(task, now)));
        wake();
    }

    private static boolean isKept(Task task, List<Task> now) {
        return now.stream()
                .anyMatch(other -> other.isOf(task.publication().uid())
                        && other.isWithdrawn() == task.isWithdrawn()
                        && other.target().equals(task.target()));
    }

    /** Has all looked at now: something of the target or of the source has changed. */
    void wake() {
        wake.offer(true);
    }

    /** What was observed last of a publication. */
    Progress progress(String uid) {
        return progress.getOrDefault(uid, Progress.NONE);
    }

    @Override
    public void close() {
        work.close();
    }

    private void run() throws InterruptedException {
        waits.clear();
        boolean isWoken = true;
        while (!work.isClosed()) {
            boolean isEach = isWoken;
            look(tasks.stream().filter(task -> isEach || isDue(task)).toList());
            waits.keySet()
                    .retainAll(
                            tasks.stream().map(task -> task.publication().uid()).toList());
            isWoken = wake.poll(nanosToNext(), TimeUnit.NANOSECONDS) != null;
            // Its own changes come back as events: no more looks than one in a pause.
            work.pause(PAUSE_MIN);
            isWoken |= wake.poll() != null;
        }
    }

    private boolean isDue(Task task) {
        Wait wait = waits.get(task.publication().uid());
        return wait == null || wait.isOver(clock.instant());
    }

    /**
     * Those that are published are looked at together: none of them takes away what another one needs. One that is withdrawn does,
     * and is looked at alone.
     */
    private void look(List<Task> due) throws InterruptedException {
        for (Task task : due) {
            if (task.isWithdrawn()) {
                note(lookAt(task));
            }
        }
        List<Callable<Looked>> published = due.stream()
                .filter(task -> !task.isWithdrawn())
                .<Callable<Looked>>map(task -> () -> lookAt(task))
                .toList();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < published.size(); i += TOGETHER_MAX) {
                List<Callable<Looked>> together = published.subList(i, Math.min(published.size(), i + TOGETHER_MAX));
                for (Future<Looked> each : threads.invokeAll(together)) {
                    note(each.get());
                }
            }
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("a look failed", failure.getCause());
        }
    }

    private Looked lookAt(Task task) throws InterruptedException {
        Progress seen = looks.at(task, cluster);
        Progress before = progress.put(task.publication().uid(), seen);
        looked.run();
        return new Looked(task.publication().uid(), before == null ? Progress.NONE : before, seen);
    }

    private void note(Looked look) {
        waits.put(look.uid(), next(look.before(), look.seen(), waits.get(look.uid())));
    }

    private Wait next(Progress before, Progress seen, @Nullable Wait wait) {
        Duration pause = PAUSE_MIN;
        if (seen.problem().isEmpty()) {
            pause = PAUSE_MAX;
        } else if (wait != null && before.problem().equals(seen.problem())) {
            pause = min(wait.pause().multipliedBy(2));
        }
        return new Wait(clock.instant().plus(pause), pause);
    }

    private static Duration min(Duration pause) {
        return pause.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause;
    }

    private long nanosToNext() {
        Instant now = clock.instant();
        return waits.values().stream()
                .mapToLong(wait -> Math.max(0, wait.left(now).toNanos()))
                .min()
                .orElse(PAUSE_MAX.toNanos());
    }
}
