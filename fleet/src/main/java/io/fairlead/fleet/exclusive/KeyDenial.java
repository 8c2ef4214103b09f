package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.exclusive.KeyExpression.NotRenderedException;
import io.fairlead.fleet.exclusive.Reservations.BusyException;
import io.fairlead.fleet.exclusive.Reservations.Outcome;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.root.RootApi.RootApiException;
import io.fairlead.hosted.AdmissionHook.Review;
import io.fairlead.hosted.CommitHook;
import io.fairlead.hosted.OwnUser;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.KeyHash;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.StatusException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides about objects that hosted clusters are about to store: a key that a write gives to an object is reserved for it, or
 * the write is refused. A write that changes nothing of what the rule's expressions read gives no key: a controller may add a
 * finalizer or take one away whatever became of the object's key.
 *
 * <p>Threads: those of the writes, which wait at most two seconds for what must be known, and for the store.
 */
final class KeyDenial {
    private static final Duration LOOK = Duration.ofMillis(10);
    private static final int LOOKS_MAX = 200;

    /** What an object that is looked up has in it, or that there is none, is not for each writer to know. */
    private static final String OF_LOOKUPS =
            "its expressions fail for this object, or for one that it refers to and that they read";

    private final Supplier<? extends Collection<Exclusion>> rules;
    private final Reservations reservations;
    private final StoredKeys stored;
    private final DenialAnswers answers;

    /** @param rules those that are in force, in an order that stays */
    KeyDenial(
            Supplier<? extends Collection<Exclusion>> rules,
            Reservations reservations,
            StoredKeys stored,
            DenialAnswers answers) {
        this.rules = rules;
        this.reservations = reservations;
        this.stored = stored;
        this.answers = answers;
    }

    /** Reserves the keys of an object that is about to be stored. */
    CommitHook.Pending claim(ClusterName cluster, Review write, WriteUnderWay token) {
        if (OwnUser.is(write.user())) {
            return CommitHook.Pending.NONE; // a cluster that opens waits for what it writes, and rules for the cluster
        }
        GroupResource resource = write.type().groupResource();
        List<Exclusion> asked = rules.get().stream()
                .filter(rule -> rule.spec().denies()
                        && rule.spec().resource().groupResource().equals(resource))
                .filter(rule -> rule.selects(cluster))
                .toList();
        token.asks(asked);
        if (asked.isEmpty()) {
            return CommitHook.Pending.NONE;
        }
        WriteClaims claims = new WriteClaims(reservations);
        boolean isRefused = true;
        try {
            Looks looks = new Looks();
            for (Exclusion rule : asked) {
                if (isApplied(rule, cluster, write, looks)) {
                    claim(rule, new ObjectKey(cluster, write.namespace(), write.name()), write, claims);
                }
            }
            isRefused = false;
            return claims;
        } catch (InterruptedException ends) {
            Thread.currentThread().interrupt();
            throw answers.unavailable(write, "the write was interrupted");
        } catch (RootApiException | BusyException failure) {
            throw answers.unavailable(write, "its keys cannot be reserved now: " + failure.getMessage());
        } finally {
            if (isRefused) {
                claims.close();
            }
        }
    }

    /** How often a write may still look, for all rules together. */
    private static final class Looks {
        private int left = LOOKS_MAX;

        boolean isLast() {
            left--;
            return left < 0;
        }
    }

    /** Whether the rule is in force there; waits until that and the claims of others are known. */
    private boolean isApplied(Exclusion rule, ClusterName cluster, Review write, Looks looks)
            throws InterruptedException {
        Knowledge known = rule.knowledge(cluster);
        synchronized (looks) {
            while (known == Knowledge.UNKNOWN) {
                if (looks.isLast()) {
                    throw answers.unavailable(
                            write,
                            "what is claimed by " + ExclusiveKeys.KIND + "/"
                                    + rule.spec().name() + " is not known yet: "
                                    + rule.observing().message());
                }
                looks.wait(LOOK.toMillis());
                known = rule.knowledge(cluster);
            }
        }
        return known == Knowledge.KNOWN;
    }

    private void claim(Exclusion rule, ObjectKey object, Review write, WriteClaims claims) throws InterruptedException {
        JsonNode now = inVersionOf(rule, Objects.requireNonNull(write.object()));
        ObjectNode old = write.old();
        JsonNode before = old == null ? null : inVersionOf(rule, old);
        if (before != null && rule.rule().projected(now).equals(rule.rule().projected(before))) {
            return;
        }
        Set<KeyHash> wanted = new TreeSet<>(keys(rule, object, now, write));
        Set<KeyHash> had = before == null ? Set.of() : keysIfKnown(rule, object, before, write);
        for (KeyHash key : had) {
            if (!wanted.contains(key)) {
                claims.givesUp(new ReservedKey(rule.spec().uid(), key));
            }
        }
        wanted.removeAll(had);
        if (!wanted.isEmpty() && !rule.holdings().hasRoom(object.cluster())) {
            throw answers.tooMany(rule.spec(), object.cluster(), write);
        }
        for (KeyHash key : wanted) {
            reserve(rule, new ReservedKey(rule.spec().uid(), key), object, write, claims);
        }
    }

    private void reserve(Exclusion rule, ReservedKey id, ObjectKey object, Review write, WriteClaims claims)
            throws InterruptedException {
        if (write.dryRun()) {
            Optional<ObjectKey> holder = reservations.holder(rule, id, object);
            if (holder.isPresent()) {
                throw answers.held(rule.spec(), id.key(), object, holder.get(), write);
            }
            return;
        }
        String uid = Objects.requireNonNull(write.object()).at("/metadata/uid").asString("");
        switch (reservations.take(rule, id, object, uid)) {
            case Outcome.Taken(boolean isDoubtful) -> claims.took(rule, id, isDoubtful);
            case Outcome.Held(ObjectKey by) -> throw answers.held(rule.spec(), id.key(), object, by, write);
        }
    }

    private Set<KeyHash> keys(Exclusion rule, ObjectKey object, JsonNode state, Review write)
            throws InterruptedException {
        try {
            return stored.of(rule, object, state);
        } catch (NotRenderedException unknown) {
            throw answers.notRendered(
                    rule.spec(), rule.spec().lookups().isEmpty() ? unknown.problem() : OF_LOOKUPS, write);
        } catch (CallFailure failure) {
            throw unread(failure, write);
        }
    }

    private Set<KeyHash> keysIfKnown(Exclusion rule, ObjectKey object, JsonNode state, Review write)
            throws InterruptedException {
        try {
            return stored.of(rule, object, state);
        } catch (NotRenderedException unknown) {
            return Set.of();
        } catch (CallFailure failure) {
            throw unread(failure, write);
        }
    }

    private StatusException unread(CallFailure failure, Review write) {
        return answers.unavailable(write, "what its key is made of cannot be read now: " + failure.message());
    }

    /** As far as {@code apiVersion} makes a difference: what only the defaults of the rule's version add is not there. */
    private static JsonNode inVersionOf(Exclusion rule, ObjectNode object) {
        String version = rule.spec().resource().groupVersion().apiVersion();
        @Nullable JsonNode own = object.get("apiVersion");
        if (own != null && own.asString("").equals(version)) {
            return object;
        }
        return object.deepCopy().put("apiVersion", version);
    }
}
