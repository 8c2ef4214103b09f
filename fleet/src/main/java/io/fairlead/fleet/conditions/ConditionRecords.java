package io.fairlead.fleet.conditions;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.RegisteredClusters;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.Condition;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootWatch;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conditions.TimeLine;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The {@code ConditionRecord} objects of the root cluster: keeps what is observed of conditions, and writes to the
 * objects whether it is.
 *
 * <p>Threads: one, the only writer of the objects' status; the look-ups are for any.
 */
public final class ConditionRecords implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConditionRecords.class);
    private static final long LOOK_SECONDS = 1;
    private static final Duration END = Duration.ofSeconds(5);

    /** Each may take its bytes of the heap. */
    private static final int RECORDS_MAX = 16;

    private static final String OBSERVING = "Observing";
    private static final String SUFFIX = ".log";

    private final RootApi api;
    private final RegisteredClusters clusters;
    private final Path folder;
    private final Informers informers;
    private final InstantSource clock;
    private final TravelCounts counts = new TravelCounts();
    private final TravelEvents events = new TravelEvents();
    private final RootWatch watch;
    private final BlockingQueue<Boolean> changed = new ArrayBlockingQueue<>(1);
    private final Repetitions failures = new Repetitions();
    private final Supervised work;

    /** Confined to the thread. */
    private List<ObjectNode> objects = List.of();

    /** By the uid of their objects; written by the thread alone. */
    private volatile Map<String, Recording> recordings = Map.of();

    /** A record's time lines of an object. */
    public record Found(String record, Map<String, TimeLine> lines) {}

    /**
     * Nothing runs before {@link #start}.
     *
     * @param clusters the registered clusters that records select
     * @param informers by which objects are observed; closed by its owner after this
     * @param folder where rows are stored
     */
    public ConditionRecords(
            HostedCluster root, RegisteredClusters clusters, Informers informers, Path folder, InstantSource clock) {
        this.api = new RootApi(root);
        this.clusters = clusters;
        this.folder = folder;
        this.informers = informers;
        this.clock = clock;
        this.watch = new RootWatch(
                api, ConditionRecordKind.CONDITION_RECORDS, "", _ -> changed.offer(true), () -> changed.offer(true));
        this.work = new Supervised("condition-records", Thread.ofPlatform().daemon(), this::run, new WorkLog());
    }

    public void start() {
        work.start();
        watch.start();
    }

    /** The supervised threads, for readiness. */
    public List<Supervised> work() {
        return List.of(work, watch.work());
    }

    /** How many transitions travelled. */
    public TravelCounts counts() {
        return counts;
    }

    /**
     * The names of the records that observe a resource in a cluster.
     *
     * @param resource its plural, alone or with its group, as {@code deployments.apps}
     */
    public Set<String> observing(ClusterName cluster, String resource) {
        return of(cluster, resource).map(each -> each.spec().name()).collect(Collectors.toSet());
    }

    /** What the records that observe a resource have of an object. */
    public List<Found> find(ObjectKey object, String resource) {
        return of(object.cluster(), resource)
                .map(each -> new Found(each.spec().name(), each.store().of(object)))
                .toList();
    }

    @Override
    public void close() {
        work.close();
        watch.close();
        work.close(END);
        recordings.values().forEach(Recording::close);
    }

    private Stream<Recording> of(ClusterName cluster, String resource) {
        return recordings.values().stream()
                .filter(each -> each.spec().clusters().has(cluster))
                .filter(each -> each.spec().resource().resource().equals(resource)
                        || each.spec().resource().groupResource().toString().equals(resource));
    }

    /** After any interruption, all records are read again. */
    private void run() throws InterruptedException {
        changed.offer(true);
        while (!work.isClosed()) {
            try {
                turn(changed.poll(LOOK_SECONDS, TimeUnit.SECONDS) != null);
            } catch (RuntimeException | IOException failure) {
                if (!work.isClosed()) {
                    log("", failure);
                    changed.offer(true);
                    work.pause(Duration.ofSeconds(LOOK_SECONDS));
                }
            }
        }
    }

    private void turn(boolean isChanged) throws IOException {
        if (isChanged) {
            objects = api.list(ConditionRecordKind.CONDITION_RECORDS, "").path("items").values().stream()
                    .map(ObjectNode.class::cast)
                    .toList();
            read();
        }
        Set<ClusterName> registered = clusters.get().keySet();
        for (Recording recording : recordings.values()) {
            recording.observe(selected(recording.spec(), registered));
        }
        objects.forEach(this::report);
    }

    /** Begins, ends and replaces records as their objects say. */
    private void read() throws IOException {
        Map<String, Recording> before = recordings;
        Map<String, Recording> after = new HashMap<>();
        for (ObjectNode object : inOrder(before.keySet())) {
            RecordSpec spec = RecordSpec.of(object, clusters);
            if (after.size() == RECORDS_MAX) {
                break;
            }
            Recording known = before.get(spec.uid());
            after.put(spec.uid(), known != null && isSame(known.spec(), spec) ? known : begin(spec, known));
        }
        recordings = Map.copyOf(after);
        before.forEach((uid, recording) -> {
            if (!after.containsKey(uid)) {
                recording.delete(file(uid));
            }
        });
        deleteOthers(objects.stream().map(each -> uid(each) + SUFFIX).collect(Collectors.toSet()));
    }

    /** Those that are observed come first, then the oldest: a new record takes no other one's place. */
    private List<ObjectNode> inOrder(Set<String> observed) {
        return objects.stream()
                .sorted(Comparator.comparing((ObjectNode object) -> !observed.contains(uid(object)))
                        .thenComparing(object ->
                                object.at("/metadata/creationTimestamp").asString(""))
                        .thenComparing(object -> object.at("/metadata/name").asString("")))
                .toList();
    }

    private static String uid(ObjectNode object) {
        return object.at("/metadata/uid").asString("");
    }

    private Recording begin(RecordSpec spec, @Nullable Recording before) {
        if (before != null) {
            if (before.spec().resource().equals(spec.resource())) {
                before.close();
            } else {
                before.delete(file(spec.uid()));
            }
        }
        Recording begun = new Recording(spec, folder, spec.uid() + SUFFIX, informers, clock, counts, events);
        begun.retainOnly(selected(spec, clusters.get().keySet()));
        return begun;
    }

    private static boolean isSame(RecordSpec one, RecordSpec other) {
        return one.generation() == other.generation();
    }

    /** Files of records that were deleted while no process ran. */
    private void deleteOthers(Set<String> names) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> others = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> ConditionJournal.isLeftOver(file, names)).forEach(others::add);
        }
        for (Path file : others) {
            Files.deleteIfExists(file);
        }
    }

    private Path file(String uid) {
        return folder.resolve(uid + SUFFIX);
    }

    private static Set<ClusterName> selected(RecordSpec spec, Set<ClusterName> registered) {
        Set<ClusterName> selected = new HashSet<>(spec.clusters().names());
        selected.retainAll(registered);
        return selected;
    }

    private void report(ObjectNode object) {
        JsonNode before = object.path("status");
        Recording recording = recordings.get(uid(object));
        Finding state = recording == null
                ? Finding.no("TooManyRecords", "at most " + RECORDS_MAX + " records are observed at a time")
                : recording.state();
        ObjectNode status = Json.object();
        status.set(
                "conditions",
                Condition.merge(
                        before,
                        List.of(new Condition(OBSERVING, state)),
                        object.at("/metadata/generation").asLong(0),
                        clock.instant()));
        status.put("clusters", recording == null ? 0 : recording.clusters());
        if (status.equals(before)) {
            return;
        }
        ObjectNode updated = object.deepCopy();
        updated.set("status", status);
        try {
            api.updateUnlessChanged(ConditionRecordKind.CONDITION_RECORDS, "", updated, "status");
        } catch (RuntimeException failure) {
            log(object.at("/metadata/name").asString(""), failure); // the next turn writes it, if possible
        }
    }

    private void log(String record, Exception failure) {
        failures.next(record + failure.getClass())
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("record", record)
                        .setCause(failure)
                        .addKeyValue("leftOut", leftOut)
                        .log("Condition records cannot be observed as they ask for; trying again"));
    }
}
