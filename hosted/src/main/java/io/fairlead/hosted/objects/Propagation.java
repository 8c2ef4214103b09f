package io.fairlead.hosted.objects;

import io.fairlead.hosted.KindRules;
import java.util.ArrayList;
import java.util.List;

/**
 * The policy of a deletion for dependents, passed to the garbage collector by finalizers (meta/v1
 * {@code DeletionPropagation}).
 */
public enum Propagation {
    /** Not given: as an earlier deletion requested, otherwise as the object's kind says. */
    UNSET,
    /** Dependents stay and lose their owner reference. */
    ORPHAN,
    /** Dependents are deleted after the owner. */
    BACKGROUND,
    /** Dependents that block the owner are deleted before it. */
    FOREGROUND;

    /** Keeps an object until its dependents have lost their references to it. */
    public static final String ORPHAN_FINALIZER = "orphan";

    /** Keeps an object until the dependents that block it are gone. */
    public static final String FOREGROUND_FINALIZER = "foregroundDeletion";

    /** The finalizers of an object of a kind, deleted with this policy (apiserver {@code shouldOrphanDependents}). */
    List<String> finalizers(List<String> standing, KindRules rules) {
        if (!rules.ownsDependents()) {
            return standing;
        }
        Propagation meant = this == UNSET ? saidBy(standing, rules.orphansDependents() ? ORPHAN : BACKGROUND) : this;
        List<String> finalizers = new ArrayList<>(standing);
        finalizers.removeAll(List.of(ORPHAN_FINALIZER, FOREGROUND_FINALIZER));
        switch (meant) {
            case ORPHAN -> finalizers.add(ORPHAN_FINALIZER);
            case FOREGROUND -> finalizers.add(FOREGROUND_FINALIZER);
            case BACKGROUND, UNSET -> {}
        }
        return finalizers.size() == standing.size() && finalizers.containsAll(standing) ? standing : finalizers;
    }

    /** The policy by an object's finalizers; the first that implies one counts. */
    public static Propagation saidBy(List<String> finalizers) {
        return saidBy(finalizers, BACKGROUND);
    }

    private static Propagation saidBy(List<String> finalizers, Propagation otherwise) {
        for (String finalizer : finalizers) {
            if (finalizer.equals(ORPHAN_FINALIZER)) {
                return ORPHAN;
            }
            if (finalizer.equals(FOREGROUND_FINALIZER)) {
                return FOREGROUND;
            }
        }
        return otherwise;
    }
}
