package io.fairlead.ittests;

import io.fairlead.ittests.RegisterOperation.Action;
import io.fairlead.ittests.RegisterOperation.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/*
 * Problem: is there an order of all operations on one object in which each has the outcome that it had, and in which none comes before
 * another that was answered before it was called (Herlihy and Wing, "Linearizability")?
 *
 * Search: calls and answers are walked through by time, with all states that are possible so far (Wing and Gong's search, a level at a
 * time; Lowe, "Testing for linearizability"). A state is what the object holds and which of the operations that are under way have
 * had their effect. When an operation is answered, each state in which it had none is followed by those that effects of others
 * under way lead to, until it had. If no state is left, there is no such order.
 *
 * Bounds: what changes nothing - a read, a conflict - has its effect as soon as the object holds what fits, which excludes no order. Writes
 * of unknown outcome are under way for ever; of two states that differ only in these the one in which more had an effect is
 * dropped, since those that had none need not have one.
 */

/**
 * Checks that the history of one object that holds one value, under reads, compare-and-set and blind writes, is linearizable, and that its
 * versions grow in that order.
 */
final class RegisterCheck {
    private final List<RegisterOperation> operations;
    private final Map<String, Long> versions;
    private final Set<Integer> underWay = new HashSet<>();
    private Collection<State> states;

    /**
     * What is wrong with a history, if anything is.
     *
     * @param initial what the object held before
     * @param version at which resourceVersion
     */
    static Optional<String> fault(String initial, long version, Collection<RegisterOperation> history) {
        List<RegisterOperation> operations = history.stream()
                .sorted(Comparator.comparingLong(RegisterOperation::calledNanos))
                .toList();
        Map<String, Long> versions = new HashMap<>(Map.of(initial, version));
        for (RegisterOperation operation : operations) {
            if (operation.outcome() == Outcome.DONE) {
                Long other = versions.putIfAbsent(operation.value(), operation.version());
                if (other != null && other != operation.version()) {
                    return Optional.of("a value with another version, " + other + ": " + operation);
                }
            }
        }
        return new RegisterCheck(operations, versions, initial).fault();
    }

    private RegisterCheck(List<RegisterOperation> operations, Map<String, Long> versions, String initial) {
        this.operations = operations;
        this.versions = versions;
        this.states = List.of(new State(initial, versions.getOrDefault(initial, 0L), Set.of(), Set.of()));
    }

    /**
     * What may be at some time.
     *
     * @param version the newest that is known of
     * @param done operations that will be answered, and had their effect
     * @param doneUnknown the same of those that never will be
     */
    private record State(String value, long version, Set<Integer> done, Set<Integer> doneUnknown) {
        boolean has(int operation) {
            return done.contains(operation) || doneUnknown.contains(operation);
        }
    }

    /** A state but for the operations of unknown outcome. */
    private record Key(String value, long version, Set<Integer> done) {}

    /** The call or the answer of an operation. */
    private record Step(long nanos, boolean isAnswer, int operation) {}

    private Optional<String> fault() {
        for (Step step : steps()) {
            if (!step.isAnswer()) {
                underWay.add(step.operation());
                states = states.stream().map(this::settled).toList();
                continue;
            }
            Collection<State> after = answered(step.operation());
            if (after.isEmpty()) {
                return Optional.of(
                        "no order explains " + operations.get(step.operation()) + "; before its answer it held "
                                + states.stream().map(State::value).distinct().toList() + ", and under way were "
                                + underWay.stream().map(operations::get).toList());
            }
            underWay.remove(step.operation());
            states = after;
        }
        return Optional.empty();
    }

    /** By time; what happens at once overlaps. */
    private List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            RegisterOperation operation = operations.get(i);
            if (operation.outcome() == Outcome.UNKNOWN && !operation.isWrite()) {
                continue;
            }
            steps.add(new Step(operation.calledNanos(), false, i));
            if (operation.outcome() != Outcome.UNKNOWN) {
                steps.add(new Step(operation.answeredNanos(), true, i));
            }
        }
        steps.sort(Comparator.comparingLong(Step::nanos).thenComparing(Step::isAnswer));
        return steps;
    }

    /** The states in which an operation had its effect, without it. */
    private Collection<State> answered(int operation) {
        Fewest seen = new Fewest();
        Fewest after = new Fewest();
        var open = new ArrayDeque<State>();
        states.stream().filter(seen::add).forEach(open::add);
        for (State state = open.poll(); state != null; state = open.poll()) {
            if (state.done().contains(operation)) {
                after.add(without(state, operation));
                continue;
            }
            for (int other : underWay) {
                if (!state.has(other) && operations.get(other).isWrite() && isPossible(operations.get(other), state)) {
                    State next = settled(written(state, other));
                    if (seen.add(next)) {
                        open.add(next);
                    }
                }
            }
        }
        return after.all();
    }

    /** What changes nothing and fits has its effect. */
    private State settled(State state) {
        Set<Integer> done = null;
        for (int other : underWay) {
            RegisterOperation operation = operations.get(other);
            if (!operation.isWrite() && !state.done().contains(other) && isPossible(operation, state)) {
                done = done == null ? new HashSet<>(state.done()) : done;
                done.add(other);
            }
        }
        return done == null ? state : new State(state.value(), state.version(), done, state.doneUnknown());
    }

    private boolean isPossible(RegisterOperation operation, State state) {
        boolean fits = switch (operation.action()) {
            case Action.Read(String seen) -> seen.equals(state.value());
            case Action.Replace(String expected, String _) ->
                expected.equals(state.value()) == (operation.outcome() != Outcome.CONFLICT);
            case Action.Overwrite _ -> true;
        };
        return fits
                && (!operation.isWrite() || versions.getOrDefault(operation.value(), Long.MAX_VALUE) > state.version());
    }

    private State written(State state, int write) {
        RegisterOperation operation = operations.get(write);
        boolean isUnknown = operation.outcome() == Outcome.UNKNOWN;
        return new State(
                operation.value(),
                versions.getOrDefault(operation.value(), state.version()),
                isUnknown ? state.done() : with(state.done(), write),
                isUnknown ? with(state.doneUnknown(), write) : state.doneUnknown());
    }

    private static State without(State state, int operation) {
        Set<Integer> done = new HashSet<>(state.done());
        done.remove(operation);
        return new State(state.value(), state.version(), done, state.doneUnknown());
    }

    private static Set<Integer> with(Set<Integer> all, int more) {
        Set<Integer> with = new HashSet<>(all);
        with.add(more);
        return with;
    }

    /** States, without those that differ from another one only by more effects of writes of unknown outcome. */
    private static final class Fewest {
        private final Map<Key, List<State>> states = new HashMap<>();

        /** Whether it was added. */
        boolean add(State state) {
            List<State> alike = states.computeIfAbsent(
                    new Key(state.value(), state.version(), state.done()), _ -> new ArrayList<>());
            if (alike.stream().anyMatch(other -> state.doneUnknown().containsAll(other.doneUnknown()))) {
                return false;
            }
            alike.removeIf(other -> other.doneUnknown().containsAll(state.doneUnknown()));
            return alike.add(state);
        }

        Collection<State> all() {
            return states.values().stream().flatMap(List::stream).toList();
        }
    }
}
