package io.fairlead.index.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Random histories of some objects, as an API server would send them: without a fault nothing is raised, and every fault
 * that is put into one is.
 */
class WatchHistoryRandomTest {
    private static final int ROUNDS = 400;

    private final long seed = Long.getLong("fuzz.seed", 7);

    @Test
    void honestStream_raisesNothing() {
        for (int round = 0; round < ROUNDS; round++) {
            History history = new History(random(round));
            assertThat(travels(history.events, history.start))
                    .as("fuzz.seed %d, round %d", seed, round)
                    .isEmpty();
        }
    }

    @Test
    void injectedFault_isRaised_andNotWithoutTheGuard() {
        for (int round = 0; round < ROUNDS; round++) {
            for (Fault fault : Fault.values()) {
                Random random = random(round);
                History history = new History(random);
                WatchEvent injected = fault.inject(history, random);

                assertThat(travels(history.events, history.start))
                        .as("fuzz.seed %d, round %d, %s %s", seed, round, fault, injected)
                        .contains(injected);
                assertThat(travels(history.map(WatchHistoryRandomTest::opaque), WatchCursor.of("", false)))
                        .isEmpty();
            }
        }
    }

    /** Versions of 40 digits, which differ at their ends alone. */
    @Test
    void longVersions_changeNothing() {
        for (int round = 0; round < ROUNDS / 10; round++) {
            Random random = random(round);
            History history = new History(random);
            assertThat(travels(history.map(WatchHistoryRandomTest::longer), longer(history.start)))
                    .isEmpty();

            WatchEvent injected = Fault.REPLAYED_DELETE.inject(history, random);
            assertThat(travels(history.map(WatchHistoryRandomTest::longer), longer(history.start)))
                    .as("fuzz.seed %d, round %d", seed, round)
                    .contains(longer(injected));
        }
    }

    private Random random(int round) {
        return new Random(seed * 1_000_003 + round);
    }

    private static List<WatchEvent> travels(List<WatchEvent> events, WatchCursor start) {
        WatchGuard guard = new WatchGuard(start);
        return events.stream().filter(event -> guard.judge(event).isTravel()).toList();
    }

    private static WatchEvent opaque(WatchEvent event) {
        return new WatchEvent(event.type(), event.key(), "v" + event.resourceVersion());
    }

    private static WatchEvent longer(WatchEvent event) {
        return new WatchEvent(event.type(), event.key(), longer(event.resourceVersion()));
    }

    private static WatchCursor longer(WatchCursor start) {
        return start.highWater() == null
                ? start
                : WatchCursor.of(longer(start.highWater().digits()), false);
    }

    private static String longer(String version) {
        return BigInteger.TEN.pow(39).add(new BigInteger(version)).toString();
    }

    /** A watch of a few objects, from its beginning. */
    private static final class History {
        private final Random random;
        private final Map<String, Long> live = new TreeMap<>();
        private final List<WatchEvent> events = new ArrayList<>();
        private final WatchCursor start;
        private final int firstChange;
        private long revision = 100;

        History(Random random) {
            this.random = random;
            for (int i = 0; i < 10; i++) {
                live.put("shop/web-" + i, ++revision);
            }
            start = begin();
            firstChange = events.size();
            int changes = 20 + random.nextInt(300);
            for (int i = 0; i < changes; i++) {
                change();
            }
        }

        private WatchCursor begin() {
            if (random.nextBoolean()) {
                return WatchCursor.of(Long.toString(revision), false);
            }
            List<String> keys = new ArrayList<>(live.keySet());
            Collections.shuffle(keys, random);
            keys.forEach(key -> add(WatchEventType.ADDED, key, live.getOrDefault(key, 0L)));
            boolean sendInitialEvents = random.nextBoolean();
            if (sendInitialEvents) {
                add(WatchEventType.INITIAL_EVENTS_END, "", revision);
            }
            return WatchCursor.of(random.nextBoolean() ? "0" : "", sendInitialEvents);
        }

        private void change() {
            revision += 1 + random.nextInt(3);
            String key = "shop/web-" + random.nextInt(15);
            if (random.nextInt(10) == 0) {
                add(WatchEventType.BOOKMARK, "", revision);
            } else if (!live.containsKey(key)) {
                live.put(key, revision);
                add(WatchEventType.ADDED, key, revision);
            } else if (random.nextInt(4) == 0) {
                live.remove(key);
                add(WatchEventType.DELETED, key, revision);
            } else {
                live.put(key, revision);
                add(WatchEventType.MODIFIED, key, revision);
            }
        }

        private void add(WatchEventType type, String key, long version) {
            events.add(new WatchEvent(type, key, Long.toString(version)));
        }

        List<WatchEvent> map(UnaryOperator<WatchEvent> operator) {
            return events.stream().map(operator).toList();
        }
    }

    /** What goes wrong, after all that is right. */
    private enum Fault {
        /** One of the changes before the last one is sent again. */
        REPLAY {
            @Override
            WatchEvent make(History history, Random random) {
                return history.events.get(history.firstChange + random.nextInt(10));
            }
        },

        /** An object appears as it was. */
        REWIND {
            @Override
            WatchEvent make(History history, Random random) {
                long version = 1 + random.nextLong(history.revision - 1);
                WatchEventType type = random.nextBoolean() ? WatchEventType.ADDED : WatchEventType.MODIFIED;
                return new WatchEvent(type, "shop/web-1", Long.toString(version));
            }
        },

        /** A deletion has the object's own version. */
        STALE_DELETE {
            @Override
            WatchEvent make(History history, Random random) {
                history.live.putIfAbsent("shop/web-1", 50L);
                return new WatchEvent(
                        WatchEventType.DELETED,
                        "shop/web-1",
                        Long.toString(history.live.getOrDefault("shop/web-1", 0L)));
            }
        },

        /** A deletion that was sent is sent again. */
        REPLAYED_DELETE {
            @Override
            WatchEvent make(History history, Random random) {
                history.revision++;
                history.add(WatchEventType.DELETED, "shop/gone", history.revision);
                return new WatchEvent(WatchEventType.DELETED, "shop/gone", Long.toString(history.revision - 1));
            }
        };

        abstract WatchEvent make(History history, Random random);

        /** The fault stands where the stream has gone on, so that its version is behind. */
        WatchEvent inject(History history, Random random) {
            WatchEvent fault = make(history, random);
            history.revision++;
            history.add(WatchEventType.MODIFIED, "shop/other", history.revision);
            history.events.add(fault);
            return fault;
        }
    }
}
