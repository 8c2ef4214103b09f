package io.fairlead.fleet.availability;

import io.fairlead.clustersync.source.Finding;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The last {@value #TRANSITIONS_MAX} transitions of a cluster, oldest first; their times never go back. Immutable.
 *
 * @param transitions a first sight, or another status than that of the one before
 */
record TransitionRing(List<Transition> transitions) {
    static final int TRANSITIONS_MAX = 256;
    static final TransitionRing EMPTY = new TransitionRing(List.of());

    TransitionRing {
        transitions = List.copyOf(transitions);
    }

    /** Those of a text, in order; lines that are no transition, or earlier than the one before, are left out. */
    static TransitionRing of(String text) {
        List<Transition> read = new ArrayList<>();
        text.lines().map(Transition::of).flatMap(Optional::stream).forEach(next -> {
            if (read.isEmpty() || !next.observed().isBefore(read.getLast().observed())) {
                read.add(next);
            }
        });
        return newest(read);
    }

    /** A line for each transition. */
    String text() {
        return transitions.stream().map(each -> each.line() + "\n").collect(Collectors.joining());
    }

    /**
     * With what is observed now; the same ring if that is no transition.
     *
     * @param isFirstSight whether this process observes the cluster for the first time
     */
    TransitionRing with(Finding ready, Instant now, boolean isFirstSight) {
        if (!isFirstSight && !transitions.isEmpty() && transitions.getLast().ready() == ready.status()) {
            return this;
        }
        List<Transition> more = new ArrayList<>(transitions);
        more.add(new Transition(
                notBeforeLast(now.truncatedTo(ChronoUnit.MILLIS)), ready.status(), ready.reason(), isFirstSight));
        return newest(more);
    }

    private Instant notBeforeLast(Instant now) {
        return transitions.isEmpty() || now.isAfter(transitions.getLast().observed())
                ? now
                : transitions.getLast().observed();
    }

    private static TransitionRing newest(List<Transition> transitions) {
        int surplus = Math.max(transitions.size() - TRANSITIONS_MAX, 0);
        return new TransitionRing(transitions.subList(surplus, transitions.size()));
    }
}
