package io.fairlead.fleet.required;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.availability.Requirement;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.informers.Subscription;
import io.fairlead.fleet.informers.WatchedObjects;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.model.Supervised;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Looks whether the APIServices are available that each cluster requires: those that its object names, and those of the
 * publications that are required. In an attached cluster its own aggregation layer says so; in a hosted one an APIService is
 * available while its group and version is served.
 *
 * <p>Threads: one.
 */
public final class RequiredServices implements AutoCloseable {
    private static final long LOOK_SECONDS = 1;
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration END = Duration.ofSeconds(5);
    private static final int MESSAGE_CHARS_MAX = 2048;
    private static final GroupVersionResource API_SERVICES =
            new GroupVersionResource("apiregistration.k8s.io", "v1", "apiservices");
    private static final Finding NONE = Finding.yes("NoneRequired", "no APIService is required");

    private final Informers informers;
    private final Supplier<Map<ClusterName, Requirement>> required;
    private final Function<ClusterName, Optional<Map<String, Finding>>> publications;
    private final Function<ClusterName, OwnServices> hosted;
    private final Consumer<Map<ClusterName, Requirement.Look>> tell;
    private final BlockingQueue<Boolean> wake = new ArrayBlockingQueue<>(1);
    private final Supervised work;

    /** Confined to the thread. */
    private final Map<ClusterName, Followed> followed = new HashMap<>();

    /** The APIServices of an attached cluster that are followed. */
    private record Followed(Requirement requirement, ServiceStates states, Subscription subscription)
            implements OwnServices {
        @Override
        public Finding state() {
            return subscription.state();
        }

        @Override
        public Finding of(String name) {
            return states.of(name);
        }
    }

    /**
     * Nothing runs before {@link #start}.
     *
     * @param required the registered clusters, with the APIServices that their objects require
     * @param publications the publications that are required in a cluster, and whether each is available there; empty as long
     *     as they were not looked at since the cluster is registered
     * @param hosted what a hosted cluster serves now
     * @param tell receives whether all of that is available, for each cluster of which that is known
     */
    public RequiredServices(
            Informers informers,
            Supplier<Map<ClusterName, Requirement>> required,
            Function<ClusterName, Optional<Map<String, Finding>>> publications,
            Function<ClusterName, OwnServices> hosted,
            Consumer<Map<ClusterName, Requirement.Look>> tell) {
        this.informers = informers;
        this.required = required;
        this.publications = publications;
        this.hosted = hosted;
        this.tell = tell;
        this.work = new Supervised("required-apiservices", Thread.ofPlatform().daemon(), this::run, new WorkLog());
    }

    public void start() {
        work.start();
    }

    /** The supervised thread, for readiness. */
    public Supervised work() {
        return work;
    }

    @Override
    public void close() {
        work.close(END);
        followed.values().forEach(each -> each.subscription().close());
    }

    private void run() throws InterruptedException {
        while (!work.isClosed()) {
            look();
            wake.poll(LOOK_SECONDS, TimeUnit.SECONDS);
            // Whatever clusters tell, there are no more looks than these.
            work.pause(PAUSE);
        }
    }

    private void look() {
        Map<ClusterName, Requirement> wanted = required.get();
        follow(wanted);
        Map<ClusterName, Requirement.Look> looks = new HashMap<>();
        wanted.forEach((cluster, requirement) -> finding(cluster, requirement)
                .ifPresent(found -> looks.put(cluster, new Requirement.Look(requirement, found))));
        tell.accept(looks);
    }

    private void follow(Map<ClusterName, Requirement> wanted) {
        followed.entrySet().removeIf(entry -> {
            boolean isOver = !entry.getValue().requirement().equals(wanted.get(entry.getKey()));
            if (isOver) {
                entry.getValue().subscription().close();
            }
            return isOver;
        });
        wanted.forEach((cluster, requirement) -> {
            if (!requirement.names().isEmpty() && requirement.isAttached()) {
                followed.computeIfAbsent(cluster, _ -> begin(cluster, requirement));
            }
        });
    }

    private Followed begin(ClusterName cluster, Requirement requirement) {
        ServiceStates states = new ServiceStates(requirement.names(), () -> wake.offer(true));
        return new Followed(requirement, states, informers.follow(new WatchedObjects(cluster, API_SERVICES), states));
    }

    /** Empty as long as it is not known. */
    private Optional<Finding> finding(ClusterName cluster, Requirement requirement) {
        Optional<Map<String, Finding>> published = publications.apply(cluster);
        if (published.isEmpty()) {
            return Optional.empty();
        }
        if (requirement.names().isEmpty() && published.get().isEmpty()) {
            return Optional.of(NONE);
        }
        Map<String, Finding> all = new TreeMap<>();
        if (!requirement.names().isEmpty()) {
            OwnServices own = requirement.isAttached()
                    ? Objects.requireNonNull(followed.get(cluster), "what is required is followed")
                    : hosted.apply(cluster);
            Finding state = own.state();
            if (state.status() == Finding.Status.UNKNOWN) {
                return Optional.empty();
            }
            if (state.status() == Finding.Status.FALSE) {
                return Optional.of(
                        Finding.unknown("NotObserved", "its APIServices: " + state.reason() + ": " + state.message()));
            }
            requirement.names().forEach(name -> all.put("APIService " + name, own.of(name)));
        }
        published.get().forEach((name, available) -> all.put("APIPublication " + name, available));
        return Optional.of(sum(all));
    }

    /** The reason is that of the first which is not available; the message names all of these, as far as there is room. */
    private static Finding sum(Map<String, Finding> all) {
        List<String> missing = new ArrayList<>();
        String reason = "";
        for (Map.Entry<String, Finding> each : all.entrySet()) {
            Finding finding = each.getValue();
            if (finding.status() != Finding.Status.TRUE) {
                reason = missing.isEmpty() ? finding.reason() : reason;
                missing.add(each.getKey() + ": " + finding.reason() + ": " + finding.message());
            }
        }
        if (missing.isEmpty()) {
            return Finding.yes("AllAvailable", all.size() + " of " + all.size() + " available");
        }
        return Finding.no(reason, missing.size() + " of " + all.size() + " not available: " + joined(missing));
    }

    /** As many as there is room for, and how many more there are. */
    private static String joined(List<String> texts) {
        StringBuilder all = new StringBuilder();
        int named = 0;
        while (named < texts.size() && all.length() < MESSAGE_CHARS_MAX) {
            all.append(named == 0 ? "" : "; ").append(texts.get(named));
            named++;
        }
        return named == texts.size() ? all.toString() : all + "; and " + (texts.size() - named) + " more";
    }
}
