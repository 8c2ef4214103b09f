package io.fairlead.ittests;

import com.google.gson.JsonParser;
import io.fairlead.ittests.HttpProbe.Answer;
import io.fairlead.ittests.RegisterOperation.Action;
import io.fairlead.ittests.RegisterOperation.Outcome;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that read the same objects and replace what they read, or an older state that they remember, and now and then write blindly;
 * and the history of each object: what was sent when, and what was answered.
 */
final class CompareAndSetClients implements AutoCloseable {
    private static final Duration PAUSE_WHILE_AWAY = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Half of all operations are about a tenth of the objects. */
    private static final int CROWDED_PART = 10;

    private final String server;
    private final List<Register> registers = new ArrayList<>();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger sent = new AtomicInteger();
    private volatile boolean stopped;

    CompareAndSetClients(String server) {
        this.server = server;
    }

    /** An object, what it held at first, and all that was done with it. */
    record Register(StoredKind kind, String path, State initial, Queue<RegisterOperation> history) {}

    /** What an object holds, and since which resourceVersion. */
    record State(String value, long version) {}

    /** Creates objects of two kinds in a cluster. */
    void create(HttpProbe probe, String cluster, int objects) throws Exception {
        for (int i = 0; i < objects; i++) {
            StoredKind kind = i % 2 == 0 ? StoredKind.CONFIG_MAP : StoredKind.BOAT;
            String body = kind.object("contested-" + i, Map.of("stamp", "first"), 0);
            Answer answer = probe.send("POST", kind.collection(cluster), "application/json", body);
            if (answer.status() != 201) {
                throw new AssertionError(answer.body());
            }
            String path = kind.collection(cluster) + "/contested-" + i;
            registers.add(new Register(kind, path, state(kind, answer), new ConcurrentLinkedQueue<>()));
        }
    }

    List<Register> registers() {
        return registers;
    }

    /** How many writes were sent. */
    int sent() {
        return sent.get();
    }

    /** Answers that nothing explains. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    void start(int clients, SplittableRandom random) {
        for (int i = 0; i < clients; i++) {
            String name = "client-" + i;
            SplittableRandom own = random.split();
            threads.execute(() -> run(name, own));
        }
    }

    /** Has them end, and reads each object once more. */
    void stop(HttpProbe probe) throws Exception {
        stopped = true;
        threads.shutdown();
        Await.until("the clients end", PATIENCE, threads::isTerminated);
        for (Register register : registers) {
            long called = System.nanoTime();
            Answer answer = probe.get(register.path());
            done(
                    register,
                    called,
                    new Action.Read(state(register.kind(), answer).value()),
                    answer);
        }
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdownNow();
        threads.close();
    }

    private void run(String client, SplittableRandom random) {
        Map<Register, State> remembered = new HashMap<>();
        try (var probe = HttpProbe.withToken(server, AttachedCluster.ROOT_TOKEN)) {
            for (int i = 0; !stopped; i++) {
                Register register = registers.get(
                        random.nextInt(random.nextBoolean() ? registers.size() : registers.size() / CROWDED_PART));
                State known = remembered.getOrDefault(register, register.initial());
                if (random.nextInt(100) < 80) {
                    known = read(probe, register, known);
                }
                write(probe, register, known, client + "-" + i, random);
                sent.incrementAndGet();
                if (random.nextInt(100) < 80) {
                    remembered.put(register, known);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What it holds, or what was known if there is no answer. */
    private State read(HttpProbe probe, Register register, State known) throws InterruptedException {
        long called = System.nanoTime();
        try {
            Answer answer = probe.get(register.path());
            if (answer.status() == 200) {
                State state = state(register.kind(), answer);
                done(register, called, new Action.Read(state.value()), answer);
                return state;
            }
            refused("GET", register, answer);
        } catch (IOException away) {
            LockSupport.parkNanos(PAUSE_WHILE_AWAY.toNanos());
        }
        return known;
    }

    private void write(HttpProbe probe, Register register, State known, String value, SplittableRandom random)
            throws InterruptedException {
        boolean isBlind = random.nextInt(100) < 15;
        Action action = isBlind ? new Action.Overwrite(value) : new Action.Replace(known.value(), value);
        long called = System.nanoTime();
        try {
            Answer answer = isBlind ? patch(probe, register, value) : put(probe, register, known, value);
            switch (answer.status()) {
                case 200 -> done(register, called, action, answer);
                case 409 -> {
                    if (!isBlind) {
                        register.history()
                                .add(new RegisterOperation(called, System.nanoTime(), action, Outcome.CONFLICT, 0));
                    }
                }
                default -> {
                    unknown(register, called, action);
                    refused(isBlind ? "PATCH" : "PUT", register, answer);
                }
            }
        } catch (ConnectException away) {
            // It was not sent.
            LockSupport.parkNanos(PAUSE_WHILE_AWAY.toNanos());
        } catch (IOException lost) {
            unknown(register, called, action);
        }
    }

    private static Answer put(HttpProbe probe, Register register, State known, String value)
            throws IOException, InterruptedException {
        String name = register.path().substring(register.path().lastIndexOf('/') + 1);
        String body = register.kind().object(name, Map.of("stamp", value), known.version());
        return probe.send("PUT", register.path(), "application/json", body);
    }

    private static Answer patch(HttpProbe probe, Register register, String value)
            throws IOException, InterruptedException {
        String body = register.kind().mergePatch(Map.of("stamp", value));
        return probe.send("PATCH", register.path(), "application/merge-patch+json", body);
    }

    private static void done(Register register, long called, Action action, Answer answer) {
        long answered = System.nanoTime();
        long version = state(register.kind(), answer).version();
        register.history().add(new RegisterOperation(called, answered, action, Outcome.DONE, version));
    }

    private static void unknown(Register register, long called, Action action) {
        register.history().add(new RegisterOperation(called, 0, action, Outcome.UNKNOWN, 0));
    }

    /** A server that starts or ends may refuse for a moment; nothing else is expected. */
    private void refused(String method, Register register, Answer answer) {
        if (answer.status() != 503) {
            faults.add(method + " " + register.path() + ": " + answer.status() + " " + answer.body());
        }
        LockSupport.parkNanos(PAUSE_WHILE_AWAY.toNanos());
    }

    private static State state(StoredKind kind, Answer answer) {
        SeenObject seen =
                SeenObject.of(kind, JsonParser.parseString(answer.body()).getAsJsonObject());
        return new State(seen.content().getOrDefault("stamp", ""), seen.revision());
    }
}
