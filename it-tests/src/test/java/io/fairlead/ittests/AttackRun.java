package io.fairlead.ittests;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One run of an attack: its attackers, their connections, how long it lasts, and how requests were answered. */
final class AttackRun implements AutoCloseable {
    private static final Duration END_TIMEOUT = Duration.ofSeconds(60);
    /** Attackers shall not take the processors from what they attack. */
    private static final Duration BETWEEN_TURNS = Duration.ofMillis(200);

    private static final int ADDRESSES = 20;
    private static final int FIRST_ADDRESS = 100;

    private final int port;
    private final long end;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger mostOpen = new AtomicInteger();
    private final ConcurrentMap<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** What one of many attackers does, again and again. */
    @FunctionalInterface
    interface Turn {
        void take(int attacker) throws IOException;
    }

    /** A run against a port that lasts so long from now on. */
    AttackRun(int port, Duration time) {
        this.port = port;
        this.end = System.nanoTime() + time.toNanos();
    }

    boolean isOver() {
        return closed || System.nanoTime() > end;
    }

    /** Has so many attackers take their turn again and again until the run is over, and returns then. */
    void crowd(int size, Turn turn) throws InterruptedException, ExecutionException, TimeoutException {
        crowd(size, Duration.ZERO, turn);
    }

    /**
     * The same, whose attackers come one after the other: of thousands that come at once most are closed in their handshakes, for
     * which there is no time.
     */
    void crowd(int size, Duration between, Turn turn)
            throws InterruptedException, ExecutionException, TimeoutException {
        var all = IntStream.range(0, size)
                .mapToObj(attacker -> threads.submit(() -> {
                    pause(between.multipliedBy(attacker));
                    repeat(attacker, turn);
                }))
                .toList();
        long left = Math.max(0, end - System.nanoTime());
        for (Future<?> each : all) {
            try {
                each.get(left, TimeUnit.NANOSECONDS);
            } catch (TimeoutException runIsOver) {
                break;
            }
            left = Math.max(0, end - System.nanoTime());
        }
        closeConnections();
        for (Future<?> each : all) {
            each.get(END_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private void repeat(int attacker, Turn turn) {
        while (!isOver()) {
            try {
                turn.take(attacker);
            } catch (IOException e) {
                count("closed");
            }
            pause(BETWEEN_TURNS);
        }
    }

    /** A connection of an attacker, each of which has one of a few addresses. */
    WireConnection connect(int attacker) throws IOException {
        return keep(WireConnection.open(port, address(attacker)));
    }

    WireConnection connectHttp2(int attacker) throws IOException {
        return keep(WireConnection.openHttp2(port, address(attacker)));
    }

    WireConnection connectNarrow(int attacker) throws IOException {
        return keep(WireConnection.openNarrow(port, address(attacker)));
    }

    /** Closes something at the end of the run. */
    <T extends AutoCloseable> T keep(T connection) {
        open.add(connection);
        mostOpen.accumulateAndGet(open.size(), Math::max);
        if (isOver()) {
            closeQuietly(connection);
        }
        return connection;
    }

    /** Closes something now. */
    void drop(AutoCloseable connection) {
        closeQuietly(connection);
        open.remove(connection);
    }

    static int address(int attacker) {
        return FIRST_ADDRESS + attacker % ADDRESSES;
    }

    void count(int status) {
        count("" + status);
    }

    void count(String outcome) {
        outcomes.computeIfAbsent(outcome, _ -> new LongAdder()).increment();
    }

    /** How often each status, or a word, came. */
    Map<String, Long> outcomes() {
        return outcomes.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().sum(), Long::sum, java.util.TreeMap::new));
    }

    /** The most connections that were open at once. */
    int mostOpen() {
        return mostOpen.get();
    }

    /** So long, or until the run is over. */
    void pause(Duration time) {
        LockSupport.parkNanos(Math.max(0, Math.min(time.toNanos(), end - System.nanoTime())));
    }

    void awaitEnd() {
        while (!isOver()) {
            pause(Duration.ofSeconds(1));
        }
    }

    @Override
    public void close() {
        closed = true;
        closeConnections();
        threads.close();
    }

    private void closeConnections() {
        open.forEach(AttackRun::closeQuietly);
        open.clear();
    }

    private static void closeQuietly(AutoCloseable connection) {
        try {
            connection.close();
        } catch (Exception e) {
            // It is only being dropped.
        }
    }
}
