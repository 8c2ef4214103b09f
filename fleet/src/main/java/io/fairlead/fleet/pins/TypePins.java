package io.fairlead.fleet.pins;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.pins.judge.Judge;
import io.fairlead.fleet.pins.judge.PinSet;
import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootWatch;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.index.FleetIndex;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/*
 * Pins are few and change rarely; labels of clusters, CRDs and the age of the index change without notice. So all pins
 * are read whenever one changed, and compared with the fleet once a second; each request resolves which clusters they
 * select, so that a new cluster's first write is checked as every other.
 */
/**
 * The {@code TypePin} objects of the root cluster: maintains the pins for requests, and writes the observed state to
 * the objects.
 *
 * <p>Threads: one, the only writer of the objects' status.
 */
public final class TypePins implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TypePins.class);
    private static final long LOOK_SECONDS = 1;
    private static final Duration END = Duration.ofSeconds(5);

    private final RootApi api;
    private final Supplier<Map<ClusterName, Map<String, String>>> clusters;
    private final Judge judge;
    private final PinReport reports;
    private final TypeConsistency consistency;
    private final DriftEvents events;
    private final Consumer<PinSet> use;
    private final Consumer<Map<ClusterName, Finding>> tell;
    private final InstantSource clock;
    private final RootWatch watch;
    private final BlockingQueue<Boolean> changed = new ArrayBlockingQueue<>(1);
    private final Repetitions failures = new Repetitions();
    private final Supervised work;

    /** Confined to the thread, except for the first turn, before it runs. */
    private List<Held> pins = List.of();

    /** A pin and its object. */
    private record Held(ObjectNode object, TypePin pin) {}

    /**
     * Nothing runs before {@link #start}.
     *
     * @param index the definitions of clusters
     * @param judge compares them with pins; its pending comparisons are computed here
     * @param clusters the registered clusters with their labels; a new map whenever one changes
     * @param tell receives the findings about clusters whose types pins require to be equal
     * @param use receives the pins for requests
     */
    public TypePins(
            HostedCluster root,
            FleetIndex index,
            Judge judge,
            Supplier<Map<ClusterName, Map<String, String>>> clusters,
            Consumer<PinSet> use,
            Consumer<Map<ClusterName, Finding>> tell,
            InstantSource clock) {
        this.api = new RootApi(root);
        this.judge = judge;
        this.reports = new PinReport(index, judge);
        this.consistency = new TypeConsistency(index, judge.types());
        this.events = new DriftEvents(api, judge);
        this.clusters = clusters;
        this.use = use;
        this.tell = tell;
        this.clock = clock;
        this.watch = new RootWatch(api, TypePinKind.TYPE_PINS, "", _ -> changed.offer(true), () -> changed.offer(true));
        this.work = new Supervised("type-pins", Thread.ofPlatform().daemon(), this::run, new WorkLog());
    }

    /** Enforces the existing pins when it returns, and follows changes from then on. */
    public void start() {
        read();
        work.start();
        watch.start();
    }

    /** The warnings for a written pin. Any thread; never blocks. */
    List<String> warnings(ObjectNode object) {
        TypePin pin = new TypePinSpec(clusters).read(object);
        return reports.nothing(pin, clusters.get().keySet())
                .map(why -> List.of("TypePin \"" + pin.name() + "\" is about nothing now: " + why))
                .orElse(List.of());
    }

    /** The supervised threads, for readiness. */
    public List<Supervised> work() {
        return List.of(work, watch.work());
    }

    @Override
    public void close() {
        work.close();
        watch.close();
        work.close(END);
    }

    /** After any interruption, all pins are read again. */
    private void run() throws InterruptedException {
        changed.offer(true);
        while (!work.isClosed()) {
            try {
                turn(changed.poll(LOOK_SECONDS, TimeUnit.SECONDS) != null);
            } catch (RuntimeException | StackOverflowError failure) {
                if (!work.isClosed()) {
                    failures.next(failure.getClass())
                            .ifPresent(leftOut -> LOG.atWarn()
                                    .setCause(failure)
                                    .addKeyValue("leftOut", leftOut)
                                    .log("Holding types against their pins failed; trying again"));
                    changed.offer(true);
                    work.pause(Duration.ofSeconds(LOOK_SECONDS));
                }
            }
        }
    }

    private void turn(boolean isChanged) {
        if (isChanged) {
            read();
        }
        judge.work();
        pins.forEach(this::report);
        TypeConsistency.Seen seen =
                consistency.look(pins.stream().map(Held::pin).toList());
        tell.accept(seen.findings());
        events.note(seen.drifts(), clock.instant());
        events.tell();
    }

    private void read() {
        TypePinSpec spec = new TypePinSpec(clusters);
        pins = api.list(TypePinKind.TYPE_PINS, "").path("items").values().stream()
                .map(object -> new Held((ObjectNode) object, spec.read(object)))
                .toList();
        use.accept(new PinSet(pins.stream().map(Held::pin).toList()));
    }

    private void report(Held held) {
        ObjectNode object = held.object();
        JsonNode before = object.path("status");
        long generation = object.path("metadata").path("generation").asLong(0);
        ObjectNode status = reports.of(held.pin(), clusters.get().keySet()).status(before, generation, clock.instant());
        if (status.equals(before)) {
            return;
        }
        ObjectNode updated = object.deepCopy();
        updated.set("status", status);
        try {
            api.update(TypePinKind.TYPE_PINS, "", updated, "status");
        } catch (RootApi.RootApiException failure) {
            boolean changedMeanwhile = failure.code() == 409 || failure.code() == 404;
            if (!changedMeanwhile) {
                logUnwritten(held.pin(), failure);
            }
        } catch (RuntimeException failure) {
            logUnwritten(held.pin(), failure);
        }
    }

    /** The next turn writes it, if possible; the other pins do not wait for that. */
    private void logUnwritten(TypePin pin, RuntimeException failure) {
        if (!work.isClosed()) {
            failures.next(pin.name())
                    .ifPresent(leftOut -> LOG.atWarn()
                            .addKeyValue("pin", pin.name())
                            .setCause(failure)
                            .addKeyValue("leftOut", leftOut)
                            .log("A pin's status cannot be written; trying again"));
        }
    }
}
