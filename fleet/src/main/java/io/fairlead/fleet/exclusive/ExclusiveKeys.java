package io.fairlead.fleet.exclusive;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.RegisteredClusters;
import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.fairlead.fleet.exclusive.KeyExpression.InvalidExpressionException;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootWatch;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.index.conflicts.KeyHash;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import io.fairlead.model.UserInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The {@code ExclusiveKey} objects of the root cluster: compares the objects that they are about, and writes to them which are
 * in conflict.
 *
 * <p>Threads: one, the only writer of the objects' status; the look-ups are for any.
 */
public final class ExclusiveKeys implements AutoCloseable {
    /** The kind of key that a rule's keys are, and the beginning of their names. */
    public static final String KIND = "exclusive-key";

    private static final Logger LOG = LoggerFactory.getLogger(ExclusiveKeys.class);
    private static final long LOOK_SECONDS = 1;
    private static final Duration END = Duration.ofSeconds(5);

    /** Many events are settled together, so that what a client does often costs little. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** However much there is to settle, it takes a fifth of a processor, as far as rules that change do not wait for it. */
    private static final int REST = 4;

    private static final Duration REST_MAX = Duration.ofSeconds(1);

    /** About what the claims of one rule may take. */
    public static final long CLAIMS_BYTES_MAX = 64L * 1024 * 1024;

    private final RootApi api;
    private final RegisteredClusters clusters;
    private final KeySecret secret;
    private final Exclusion.Tools tools;
    private final ConflictTransitions transitions;
    private final RootWatch watch;
    private final KeyAdmission admission;
    private final KeyDenial denial;
    private final ReservationSweep sweep;
    private final BlockingQueue<Boolean> changed = new ArrayBlockingQueue<>(1);
    private final BlockingQueue<Boolean> wake = new ArrayBlockingQueue<>(1);
    private final Repetitions failures = new Repetitions();
    private final Supervised work;

    /** Confined to the thread. */
    private List<ObjectNode> objects = List.of();

    /** By the uid of their objects; written by the thread alone. */
    private volatile Map<String, Exclusion> rules = Map.of();

    /** Confined to the thread. */
    private final RuleEndings endings;

    /** Confined to the thread. */
    private final RulePlaces places = new RulePlaces();

    /** Of the rules whose expressions do not compile; confined to the thread. */
    private final Map<String, String> invalid = new HashMap<>();

    /**
     * A rule with its conflicts.
     *
     * @param unknown why it is not known whether there are any; empty if there are, or if all objects are compared
     */
    public record RuleConflicts(String rule, List<KeyConflict> conflicts, Optional<Finding> unknown) {}

    /**
     * Nothing runs before {@link #start}.
     *
     * @param clusters the registered clusters
     * @param lookup the registration of a cluster
     * @param mayEnter whether a user of the gateway may enter a cluster
     * @param admission asks the rules that deny, once this has started
     * @param claimsBytesMax about what the claims of one rule may take
     * @param chance the source of secrets of hash tables
     */
    public ExclusiveKeys(
            HostedCluster root,
            RegisteredClusters clusters,
            Function<ClusterName, ClusterEntry> lookup,
            BiPredicate<UserInfo, ClusterName> mayEnter,
            Informers informers,
            KeySecret secret,
            KeyAdmission admission,
            long claimsBytesMax,
            ConflictTransitions transitions,
            InstantSource clock,
            Random chance) {
        this.api = new RootApi(root);
        this.clusters = clusters;
        this.secret = secret;
        this.transitions = transitions;
        this.admission = admission;
        this.tools = new Exclusion.Tools(
                informers,
                clusters,
                lookup,
                new AuthorRights(mayEnter, lookup, informers),
                admission,
                claimsBytesMax,
                () -> wake.offer(true),
                clock,
                chance);
        StoredKeys stored = new StoredKeys(informers, lookup);
        Reservations reservations = new Reservations(api, stored, this::denying, this::sweepAgain);
        this.sweep = new ReservationSweep(reservations);
        this.endings = new RuleEndings(api);
        this.denial = new KeyDenial(() -> rules.values(), reservations, stored, new DenialAnswers(mayEnter, lookup));
        this.watch = new RootWatch(api, ExclusiveKeyKind.EXCLUSIVE_KEYS, "", _ -> listAgain(), this::listAgain);
        this.work = new Supervised("exclusive-keys", Thread.ofPlatform().daemon(), this::run, new WorkLog());
    }

    /** Reads the rules, so that those that deny are asked from now on, and starts. */
    public void start() {
        list();
        admission.by(denial);
        work.start();
        sweep.start();
        watch.start();
    }

    /** The supervised threads, for readiness. */
    public List<Supervised> work() {
        return List.of(work, watch.work(), sweep.work());
    }

    /** All conflicts, by the name of the rule. */
    public List<RuleConflicts> conflicts() {
        return rules.values().stream()
                .map(rule ->
                        new RuleConflicts(rule.spec().name(), rule.holdings().conflicts(), RuleStatus.unknown(rule)))
                .sorted(Comparator.comparing(RuleConflicts::rule))
                .toList();
    }

    /** How many keys several objects claim, over all rules. */
    public int conflictsTotal() {
        return rules.values().stream()
                .mapToInt(rule -> rule.holdings().summary(0, 0).conflictsTotal())
                .sum();
    }

    @Override
    public void close() {
        work.close();
        sweep.close();
        watch.close();
        work.close(END);
        rules.values().forEach(Exclusion::close);
    }

    private void listAgain() {
        changed.offer(true);
        wake.offer(true);
    }

    /** After any interruption, all rules are read again. */
    private void run() throws InterruptedException {
        changed.offer(true);
        while (!work.isClosed()) {
            Instant began = tools.clock().instant();
            try {
                turn(changed.poll() != null);
            } catch (RuntimeException failure) {
                if (!work.isClosed()) {
                    log("", failure);
                    changed.offer(true);
                    work.pause(Duration.ofSeconds(LOOK_SECONDS));
                }
            }
            Duration took = Duration.between(began, tools.clock().instant());
            wake.poll(LOOK_SECONDS, TimeUnit.SECONDS);
            work.pause(rest(took));
        }
    }

    private static Duration rest(Duration took) {
        Duration rest = took.multipliedBy(REST);
        return rest.compareTo(PAUSE) < 0 ? PAUSE : rest.compareTo(REST_MAX) > 0 ? REST_MAX : rest;
    }

    private void turn(boolean isChanged) {
        if (isChanged) {
            list();
        }
        if (places.areYielded(objects, rules)
                || rules.values().stream().anyMatch(rule -> rule.holdings().hasRoomAgain())) {
            changed.offer(true);
        }
        Set<ClusterName> registered = clusters.get().keySet();
        for (Exclusion rule : rules.values()) {
            Set<ClusterName> selected = new HashSet<>(rule.spec().clusters().names());
            selected.retainAll(registered);
            rule.observe(selected);
            Set<KeyHash> keys = rule.settle(transitions);
            if (rule.spec().denies()) {
                String uid = rule.spec().uid();
                sweep.look(keys.stream().map(key -> new ReservedKey(uid, key)).toList());
            }
        }
        objects.forEach(this::report);
        end();
    }

    /** Rules that are deleted end once what they said to objects is taken back. */
    private void end() {
        Map<String, Exclusion> left = new HashMap<>(rules);
        endings.look(objects, left, tools.clock().instant());
        putInForce(left);
    }

    private void list() {
        objects = api.list(ExclusiveKeyKind.EXCLUSIVE_KEYS, "").path("items").values().stream()
                .map(ObjectNode.class::cast)
                .toList();
        read();
    }

    /** The rule of a uid, if it denies. */
    private @Nullable Exclusion denying(String uid) {
        Exclusion rule = rules.get(uid);
        return rule != null && rule.spec().denies() ? rule : null;
    }

    private void sweepAgain() {
        sweep.again();
    }

    /** Begins, ends and replaces rules as their objects say. */
    private void read() {
        Map<String, Exclusion> before = rules;
        Map<String, Exclusion> after = new HashMap<>();
        invalid.clear();
        Set<GroupResource> published = new HashSet<>();
        for (ObjectNode object : places.inOrder(objects, before.keySet())) {
            if (after.size() == RulePlaces.RULES_MAX) {
                break;
            }
            RuleSpec asked = RuleSpec.of(object, clusters);
            boolean isPublisher =
                    asked.publishesCondition() && published.add(asked.resource().groupResource());
            RuleSpec spec = isPublisher ? asked : asked.withoutCondition();
            if (endings.isEnding(spec.uid())) {
                continue;
            }
            Exclusion known = before.get(spec.uid());
            if (known != null && known.spec().isSame(spec) && !known.holdings().hasRoomAgain()) {
                after.put(spec.uid(), known);
            } else {
                begin(spec, object, after);
            }
        }
        putInForce(after);
        before.forEach((uid, rule) -> {
            Exclusion now = after.get(uid);
            if (now == null) {
                var _ = rule.retract(true);
            } else if (!now.equals(rule)) {
                replaced(rule, now);
            }
        });
    }

    /** In an order that stays: writes ask them in it. */
    private void putInForce(Map<String, Exclusion> now) {
        boolean isSame = now.equals(rules);
        rules = Collections.unmodifiableMap(new TreeMap<>(now));
        if (!isSame) {
            sweep.lookAtAll();
        }
    }

    /** What the other one says takes the place of what was said, if it says anything to the same objects. */
    private static void replaced(Exclusion before, Exclusion after) {
        if (after.spec().publishesCondition()
                && after.spec().resource().equals(before.spec().resource())) {
            before.close();
        } else {
            var _ = before.retract(false);
        }
    }

    private void begin(RuleSpec spec, ObjectNode object, Map<String, Exclusion> after) {
        try {
            Map<KeyHash, Instant> since = RuleStatus.since(object.path("status"));
            after.put(spec.uid(), new Exclusion(spec, KeyRule.compile(spec, secret), since, tools));
        } catch (InvalidExpressionException stored) {
            invalid.put(spec.uid(), String.valueOf(stored.getMessage()));
        }
    }

    private void report(ObjectNode object) {
        Exclusion rule = rules.get(RulePlaces.uid(object));
        ObjectNode status = rule == null
                ? RuleStatus.ofNone(
                        object,
                        notInForce(RulePlaces.uid(object)),
                        tools.clock().instant())
                : RuleStatus.of(object, rule, tools.clock().instant());
        if (status.equals(object.path("status"))) {
            return;
        }
        ObjectNode updated = object.deepCopy();
        updated.set("status", status);
        try {
            api.updateUnlessChanged(ExclusiveKeyKind.EXCLUSIVE_KEYS, "", updated, "status");
        } catch (RuntimeException failure) {
            log(object.at("/metadata/name").asString(""), failure); // the next turn writes it, if possible
        }
    }

    private Finding notInForce(String uid) {
        String issues = invalid.get(uid);
        return issues == null
                ? Finding.no("TooManyRules", "at most " + RulePlaces.RULES_MAX + " rules are in force at a time")
                : Finding.no("InvalidExpression", issues);
    }

    private void log(String rule, Exception failure) {
        failures.next(rule + failure.getClass())
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("rule", rule)
                        .setCause(failure)
                        .addKeyValue("leftOut", leftOut)
                        .log("Exclusive keys cannot be compared as they ask for; trying again"));
    }
}
