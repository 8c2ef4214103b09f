package io.fairlead.index;

import io.fairlead.model.GroupVersion;
import io.fairlead.model.TypeDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose CRDs come, change and go at random, and the stream of events that tells of it: in order, but with late
 * copies of earlier events in between, and with gaps that only a new list bridges.
 */
final class RandomFleet {
    static final List<GroupVersion> GROUP_VERSIONS = List.of(
            new GroupVersion("a.example.com", "v1"),
            new GroupVersion("a.example.com", "v2"),
            new GroupVersion("a.example.com", "v3"),
            new GroupVersion("a.example.com", "v4"),
            new GroupVersion("b.example.com", "v1"),
            new GroupVersion("b.example.com", "v2"),
            new GroupVersion("b.example.com", "v3"),
            new GroupVersion("b.example.com", "v4"));
    private static final int CRDS = 50;
    private static final int REPLAYED_FROM_MAX = 100;

    /** What is told of the cluster. */
    sealed interface Event {
        record Upserted(Holder holder) implements Event {}

        record Deleted(Holder holder, long resourceVersion) implements Event {}

        record Listed(Collection<Holder> holders, long resourceVersion) implements Event {}
    }

    private final Random random;
    private final Map<String, Holder> surviving = new TreeMap<>();
    private final Deque<Event> undelivered = new ArrayDeque<>();
    private final List<Event> delivered = new ArrayList<>();
    private final List<DefinedType> types =
            IntStream.range(0, 5).mapToObj(RandomFleet::type).toList();
    private long revision = 1;

    RandomFleet(Random random) {
        this.random = random;
    }

    static String plural(int crd) {
        return "r" + crd;
    }

    /** The CRDs as they really are. */
    Collection<Holder> surviving() {
        return surviving.values();
    }

    /** Whether everything was told. */
    boolean isQuiet() {
        return undelivered.isEmpty();
    }

    /** Lets something happen or be told; returns what is told, if anything. */
    @Nullable
    Event step() {
        int dice = random.nextInt(100);
        if (dice < 45) {
            happen();
            return null;
        }
        if (dice < 85) {
            return deliver();
        }
        if (dice < 98) {
            return replay();
        }
        undelivered.clear();
        return new Event.Listed(List.copyOf(surviving.values()), revision);
    }

    private void happen() {
        int crd = random.nextInt(CRDS);
        String name = plural(crd) + "." + group(crd);
        Holder before = surviving.get(name);
        if (before != null && random.nextInt(3) == 0) {
            surviving.remove(name);
            undelivered.add(new Event.Deleted(before, ++revision));
            return;
        }
        String uid = before == null ? "uid-" + ++revision : before.uid();
        Holder after = new Holder(
                HolderType.CRD,
                name,
                uid,
                Long.toString(++revision),
                contributions(crd),
                types.get(random.nextInt(types.size())),
                "");
        surviving.put(name, after);
        undelivered.add(new Event.Upserted(after));
    }

    private static DefinedType type(int meaning) {
        TypeDigest digest = TypeDigest.of(new byte[] {(byte) meaning});
        StoredType stored = new StoredType(digest, new byte[0]);
        return new DefinedType("a.example.com", "A", stored, digest, List.of(), true);
    }

    private static String group(int crd) {
        return GROUP_VERSIONS.get(crd % 2 * 4).group();
    }

    private List<Contribution> contributions(int crd) {
        return GROUP_VERSIONS.stream()
                .filter(groupVersion -> groupVersion.group().equals(group(crd)) && random.nextInt(5) < 2)
                .map(groupVersion -> Contribution.of(groupVersion, Set.of(plural(crd))))
                .toList();
    }

    private @Nullable Event deliver() {
        Event event = undelivered.poll();
        if (event != null) {
            delivered.add(event);
        }
        return event;
    }

    private @Nullable Event replay() {
        if (delivered.isEmpty()) {
            return null;
        }
        int back = random.nextInt(Math.min(delivered.size(), REPLAYED_FROM_MAX));
        return delivered.get(delivered.size() - 1 - back);
    }
}
