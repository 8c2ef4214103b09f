package io.fairlead.gateway.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.history.WatchCursor;
import io.fairlead.model.HistoryMode;
import io.fairlead.schema.json.Json;
import io.fairlead.testkit.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Clients that list and watch as client-go does, through guards, from servers with random histories and faults: for no client does
 * time go backwards, and what it holds in the end is what there is.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class TravelSimulationTest {
    private static final int ROUNDS = Effort.rounds(1) == 1 ? 2_000 : 100_000;
    /** Histories without faults differ in little. */
    private static final int ROUNDS_WITHOUT_FAULTS = Effort.rounds(1) == 1 ? 500 : 100_000;

    private static final int WATCHES = 6;

    private final long seed = Long.getLong("fuzz.seed", 7);

    @Test
    void guardedClients_neverTravel_andHoldWhatThereIs() {
        IntStream.range(0, ROUNDS)
                .parallel()
                .forEach(round -> assertThat(faults(round, true, HistoryMode.ENFORCE))
                        .as("fuzz.seed %d, round %d", seed, round)
                        .isEmpty());
    }

    @Test
    void serversWithoutFaults_areLeftAlone() {
        IntStream.range(0, ROUNDS_WITHOUT_FAULTS).parallel().forEach(round -> {
            Run run = new Run(random(round), false, HistoryMode.ENFORCE);
            run.go();

            assertThat(run.faults).as("fuzz.seed %d, round %d", seed, round).isEmpty();
            assertThat(run.changed).as("fuzz.seed %d, round %d", seed, round).isZero();
            assertThat(run.lists).isEqualTo(1);
        });
    }

    /** What the simulation finds is there to be found. */
    @Test
    void clientsThatAreOnlyObserved_travel() {
        int travelled = 0;
        for (int round = 0; round < 200; round++) {
            travelled += faults(round, true, HistoryMode.OBSERVE).isEmpty() ? 0 : 1;
        }
        assertThat(travelled).isGreaterThan(100);
    }

    private List<String> faults(int round, boolean hasFaults, HistoryMode mode) {
        Run run = new Run(random(round), hasFaults, mode);
        run.go();
        return run.faults;
    }

    private Random random(int round) {
        return new Random(seed * 1_000_003 + round);
    }

    /** One server and one client. */
    private static final class Run {
        private final Random random;
        private final TimeMachine server;
        private final HistoryMode mode;
        private final List<String> faults = new ArrayList<>();
        private final Map<String, Long> held = new TreeMap<>();
        private final Map<String, Long> newest = new TreeMap<>();
        private long position;
        private int lists;
        private int changed;

        Run(Random random, boolean hasFaults, HistoryMode mode) {
            this.random = random;
            this.server = new TimeMachine(random, hasFaults);
            this.mode = mode;
        }

        void go() {
            server.change();
            list();
            for (int i = 0; i < WATCHES; i++) {
                watch();
            }
            for (int i = 0; i < 100 && !held.equals(server.objects()); i++) {
                watch(); // A fault may have cut the last one off.
            }
            if (!held.equals(server.objects()) && position >= server.revision()) {
                faults.add("holds " + held + " where there is " + server.objects());
            }
        }

        private void list() {
            lists++;
            held.clear();
            held.putAll(server.objects());
            moveTo(server.revision());
        }

        private void watch() {
            GuardedStream stream = new GuardedStream(
                    "application/json", WatchCursor.of(Long.toString(position), false), GuardedStream.PLENTY);
            stream.mode = mode;
            String sent = server.watch(position);
            String received = stream.acceptBy(1 + random.nextInt(random.nextInt(10) == 0 ? 50 : 5_000), sent)
                    .complete();
            changed += received.equals(sent) ? 0 : 1;
            received.lines().filter(line -> line.endsWith("}}}")).forEach(this::event);
        }

        private void event(String line) {
            JsonNode event = Json.read(line);
            JsonNode object = event.path("object");
            String type = event.path("type").stringValue("");
            if (type.equals("ERROR")) {
                assertThat(object.path("code").intValue()).isEqualTo(410);
                list();
                return;
            }
            long version = Long.parseLong(
                    object.path("metadata").path("resourceVersion").stringValue(""));
            moveTo(version);
            String name = object.path("metadata").path("name").stringValue("");
            switch (type) {
                case "ADDED", "MODIFIED" -> {
                    if (newest.getOrDefault(name, 0L) > version) {
                        faults.add(name + " was at " + newest.get(name) + " and is at " + version);
                    }
                    newest.put(name, version);
                    held.put(name, version);
                }
                case "DELETED" -> held.remove(name);
                default -> assertThat(type).isEqualTo("BOOKMARK");
            }
        }

        private void moveTo(long version) {
            if (version < position) {
                faults.add("the client was at " + position + " and is at " + version);
            }
            position = version;
        }
    }
}
