package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.CompareAndSetClients.Register;
import io.fairlead.ittests.RegisterOperation.Action;
import io.fairlead.ittests.RegisterOperation.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients that compete for objects of a hosted cluster by compare-and-set, while its server is killed and stopped and its store forgets
 * the past: the history of each object is linearizable.
 */
final class CompareAndSetIT {
    private static final long SEED = 20261127;
    private static final int CLIENTS = 20;
    private static final int OBJECTS = 50;
    private static final String CLUSTER = "contested";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration SOON = Duration.ofSeconds(30);

    @Test
    void twentyClientsOnFiftyObjects_areLinearizable_throughTwoRestarts() throws Exception {
        compete(2, 400);
    }

    @Test
    @Tag("endurance")
    void twentyClientsOnFiftyObjects_areLinearizable_throughFiftyRestarts() throws Exception {
        compete(50, 2_000);
    }

    /**
     * Has them compete.
     *
     * @param writes how many are sent, about, before the server ends again
     */
    private static void compete(int restarts, int writes) throws Exception {
        Path folder = Checkout.scratch("CompareAndSetIT/" + restarts);
        var random = new SplittableRandom(SEED);
        try (FairleadProcess fairlead = FairleadProcess.start(
                        folder,
                        "--token-auth-file",
                        HostedTenants.tokenFile(folder),
                        "--secure-port",
                        "" + FreePorts.take(1).getFirst(),
                        "--shutdown-delay",
                        "100ms",
                        "--hosted-compaction-interval",
                        "500ms");
                var clients = new CompareAndSetClients(fairlead.endpoint())) {
            try (var probe = HostedTenants.probe(fairlead)) {
                HostedTenants.create(probe, List.of(CLUSTER));
                HostedTenants.define(probe, List.of(CLUSTER));
                clients.create(probe, CLUSTER, OBJECTS);
            }
            clients.start(CLIENTS, random.split());
            for (int i = 0; i < restarts; i++) {
                awaitWrites(clients, writes / 2 + random.nextInt(writes));
                if (i % 2 == 0) {
                    fairlead.kill();
                } else {
                    fairlead.stop();
                }
                fairlead.start();
            }
            awaitWrites(clients, writes / 2 + random.nextInt(writes));
            try (var probe = HostedTenants.probe(fairlead)) {
                clients.stop(probe);
                assertForgotten(probe, clients.registers().getFirst());
            }
            assertThat(clients.faults()).isEmpty();
            assertLinearizable(folder, clients.registers());
        }
    }

    private static void awaitWrites(CompareAndSetClients clients, int more) {
        int enough = clients.sent() + more;
        Await.until(enough + " writes are sent", PATIENCE, () -> clients.sent() >= enough);
    }

    /** The state at first can be read no more, so that the past was forgotten meanwhile. */
    private static void assertForgotten(HttpProbe probe, Register register) {
        String path = register.kind().collection(CLUSTER) + "?resourceVersionMatch=Exact&resourceVersion="
                + register.initial().version();
        Await.until("the past is forgotten", SOON, () -> probe.get(path).status() == 410);
    }

    private static void assertLinearizable(Path folder, List<Register> registers) throws Exception {
        List<String> faults = new ArrayList<>();
        for (Register register : registers) {
            var initial = register.initial();
            RegisterCheck.fault(initial.value(), initial.version(), register.history())
                    .ifPresent(fault -> faults.add(register.path() + ": " + fault));
            if (register.history().stream().anyMatch(CompareAndSetIT::isStored)) {
                assertThat(RegisterCheck.fault(initial.value(), initial.version(), withStaleRead(register)))
                        .as("a canary: a read of what %s held at first", register.path())
                        .isPresent();
            }
        }
        Files.writeString(folder.resolve("measured.txt"), counts(registers));
        assertThat(faults).as("seed %d", SEED).isEmpty();
        for (Outcome outcome : Outcome.values()) {
            assertThat(registers).anyMatch(register -> count(register, outcome) > 0);
        }
    }

    private static boolean isStored(RegisterOperation operation) {
        return operation.outcome() == Outcome.DONE && operation.isWrite();
    }

    private static List<RegisterOperation> withStaleRead(Register register) {
        var history = new ArrayList<>(register.history());
        long now = System.nanoTime();
        var initial = register.initial();
        history.add(
                new RegisterOperation(now, now + 1, new Action.Read(initial.value()), Outcome.DONE, initial.version()));
        return history;
    }

    private static String counts(List<Register> registers) {
        var counts = new StringBuilder();
        for (Outcome outcome : Outcome.values()) {
            counts.append(outcome)
                    .append(": ")
                    .append(registers.stream()
                            .mapToLong(register -> count(register, outcome))
                            .sum())
                    .append('\n');
        }
        return counts.toString();
    }

    private static long count(Register register, Outcome outcome) {
        return register.history().stream()
                .filter(operation -> operation.outcome() == outcome)
                .count();
    }
}
