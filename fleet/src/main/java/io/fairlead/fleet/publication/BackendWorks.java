package io.fairlead.fleet.publication;

import io.fairlead.fleet.publication.BackendWork.Looks;
import io.fairlead.fleet.publication.BackendWork.Task;
import io.fairlead.model.ClusterName;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The work at all backends in all targets. Threads: confined to one. */
final class BackendWorks implements AutoCloseable {
    private final Looks looks;
    private final Runnable looked;
    private final InstantSource clock;
    private final SortedMap<Place, BackendWork> works = new TreeMap<>();

    /**
     * A Service of a target.
     *
     * @param backend as people name it
     */
    record Place(ClusterName cluster, String backend) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return Comparator.comparing(Place::cluster)
                    .thenComparing(Place::backend)
                    .compare(this, other);
        }
    }

    /** @param looked called after every look; must not block */
    BackendWorks(Looks looks, Runnable looked, InstantSource clock) {
        this.looks = looks;
        this.looked = looked;
        this.clock = clock;
    }

    /** Works at these backends, and at no others, from now on. */
    void assign(SortedMap<Place, List<Task>> tasks) {
        works.entrySet().removeIf(entry -> {
            boolean isOver = !tasks.containsKey(entry.getKey());
            if (isOver) {
                entry.getValue().close();
            }
            return isOver;
        });
        tasks.forEach((place, all) -> {
            BackendWork found = works.get(place);
            if (found == null) {
                found = new BackendWork(place.cluster(), place.backend(), looks, looked, clock);
                works.put(place, found);
                found.use(all);
                found.start();
            } else {
                found.use(all);
            }
        });
    }

    /** Has all looked at now that is in these targets. */
    void wake(Set<ClusterName> targets) {
        works.forEach((place, found) -> {
            if (targets.contains(place.cluster())) {
                found.wake();
            }
        });
    }

    /** What was observed last of a publication. */
    Progress progress(Place place, String uid) {
        BackendWork found = works.get(place);
        return found == null ? Progress.NONE : found.progress(uid);
    }

    @Override
    public void close() {
        works.values().forEach(BackendWork::close);
    }
}
