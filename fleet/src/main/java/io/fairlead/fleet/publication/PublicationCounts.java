package io.fairlead.fleet.publication;

import io.fairlead.model.ClusterName;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * How far publications are in all their targets, how long their steps took, and how often backends failed their probes.
 *
 * <p>Threads: one turns; any counts and reads.
 */
public final class PublicationCounts {
    /** Some reasons are the words of targets. */
    private static final int REASONS_MAX = 32;

    private static final String OTHERS = "Other";

    private final Map<String, LongAdder> probeFailures = new ConcurrentHashMap<>();

    /** Confined to the turning thread. */
    private final Map<Place, Map<Step, Instant>> undone = new HashMap<>();

    /** Of each step from the beginning on, so that its first increase is seen. */
    private volatile Map<State, Integer> states = Map.copyOf(none());

    private volatile Map<Step, Took> took =
            Arrays.stream(Step.values()).collect(Collectors.toMap(step -> step, _ -> new Took(0, Duration.ZERO)));

    /**
     * A step in one of its states, as a publication's status spells them.
     */
    public record State(String step, String state) {}

    /** How many were done, and how long that took in all. */
    public record Took(long count, Duration total) {
        private Took plus(Duration more) {
            return new Took(count + 1, total.plus(more));
        }
    }

    /** A publication in a target. */
    private record Place(String uid, ClusterName target) {}

    PublicationCounts() {
        probeFailures.put(BackendProbe.FAILED, new LongAdder());
    }

    private static Map<State, Integer> none() {
        Map<State, Integer> none = new HashMap<>();
        for (Step step : Step.values()) {
            for (String state : PublicationStatus.STATES) {
                none.put(new State(step.spelled(), state), 0);
            }
        }
        return none;
    }

    /** In how many targets of publications each step is in each state. */
    public Map<State, Integer> states() {
        return states;
    }

    /** Each step that was seen to be done after it was seen not to be, by its name. */
    public void forEachStep(BiConsumer<String, Took> reader) {
        took.forEach((step, done) -> reader.accept(step.spelled(), done));
    }

    /** How often a probe failed for each reason. */
    public void forEachProbeFailure(BiConsumer<String, Long> reader) {
        probeFailures.forEach((reason, count) -> reader.accept(reason, count.sum()));
    }

    /** Counts a failed probe among what a look has observed. */
    void looked(Progress progress) {
        progress.of(Step.PROBE).filter(observed -> !observed.isDone()).ifPresent(failed -> {
            boolean hasRoom = probeFailures.size() < REASONS_MAX || probeFailures.containsKey(failed.reason());
            probeFailures
                    .computeIfAbsent(hasRoom ? failed.reason() : OTHERS, _ -> new LongAdder())
                    .increment();
        });
    }

    /** Begins to count anew how far all are. */
    Turn turn(Instant now) {
        return new Turn(now);
    }

    /** What is observed in one turn. */
    final class Turn {
        private final Instant now;
        private final Map<State, Integer> counted = none();
        private final Map<Place, Map<Step, Instant>> stillUndone = new HashMap<>();
        private final Map<Step, Took> nowTook = new EnumMap<>(Step.class);

        private Turn(Instant now) {
            this.now = now;
            nowTook.putAll(took);
        }

        void add(String uid, ClusterName target, Progress progress) {
            Place place = new Place(uid, target);
            Map<Step, Instant> before = undone.getOrDefault(place, Map.of());
            Map<Step, Instant> after = new EnumMap<>(Step.class);
            for (Step step : PublicationStatus.steps(progress)) {
                counted.merge(new State(step.spelled(), PublicationStatus.state(progress, step)), 1, Integer::sum);
                Instant since = before.get(step);
                if (!progress.isDone(step)) {
                    after.put(step, since == null ? now : since);
                } else if (since != null) {
                    nowTook.merge(step, new Took(1, Duration.between(since, now)), (all, one) -> all.plus(one.total()));
                }
            }
            stillUndone.put(place, after);
        }

        void end() {
            undone.clear();
            undone.putAll(stillUndone);
            states = Map.copyOf(counted);
            took = Map.copyOf(nowTook);
        }
    }
}
