package io.fairlead.clustersync;

import java.time.Duration;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A scheduler whose time a test lets pass; tasks run on the thread that does. */
public final class ManualScheduler extends AbstractExecutorService implements ScheduledExecutorService {
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long nowNanos = TimeUnit.HOURS.toNanos(1);
    private long count;

    /** The time, as {@link System#nanoTime} tells it. */
    public synchronized long nanoTime() {
        return nowNanos;
    }

    /** Runs what falls due meanwhile, in its order. */
    public void pass(Duration time) {
        long end = nanoTime() + time.toNanos();
        for (Task next = next(end); next != null; next = next(end)) {
            next.run();
        }
        synchronized (this) {
            nowNanos = end;
        }
    }

    /** How many tasks are to be run that were not cancelled. */
    public synchronized int dueCount() {
        return (int) tasks.stream().filter(task -> !task.isCancelled()).count();
    }

    private synchronized @Nullable Task next(long end) {
        Task first = tasks.peek();
        if (first == null || first.atNanos > end) {
            return null;
        }
        nowNanos = Math.max(nowNanos, first.atNanos);
        return tasks.poll();
    }

    @Override
    public synchronized ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return add(new Task(command, nowNanos + unit.toNanos(delay), 0));
    }

    @Override
    public synchronized ScheduledFuture<?> scheduleWithFixedDelay(
            Runnable command, long initialDelay, long delay, TimeUnit unit) {
        return add(new Task(command, nowNanos + unit.toNanos(initialDelay), unit.toNanos(delay)));
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void execute(Runnable command) {
        command.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }

    private Task add(Task task) {
        tasks.add(task);
        return task;
    }

    private final class Task extends FutureTask<Void> implements ScheduledFuture<Void> {
        private final Runnable command;
        private final long everyNanos;
        private final long number = count++;
        private long atNanos;

        Task(Runnable command, long atNanos, long everyNanos) {
            super(command, null);
            this.command = command;
            this.atNanos = atNanos;
            this.everyNanos = everyNanos;
        }

        @Override
        public void run() {
            if (isCancelled()) {
                return;
            }
            command.run();
            if (everyNanos > 0 && !isCancelled()) {
                synchronized (ManualScheduler.this) {
                    atNanos += everyNanos;
                    tasks.add(this);
                }
            }
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(atNanos - nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            Task task = (Task) other;
            int byTime = Long.compare(atNanos, task.atNanos);
            return byTime != 0 ? byTime : Long.compare(number, task.number);
        }
    }
}
