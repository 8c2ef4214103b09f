package io.fairlead.hosted.objects;

import java.util.ArrayList;
import java.util.List;

/**
 * What a deletion does about the objects that the deleted one owns, told to the garbage collector by finalizers (meta/v1
 * {@code DeletionPropagation}).
 */
public enum Propagation {
    /** Nothing was said: as an earlier deletion said, else as {@link #BACKGROUND}. */
    UNSET,
    /** They stay and lose their reference. */
    ORPHAN,
    /** They go once it is gone. */
    BACKGROUND,
    /** They go first, as far as they block it. */
    FOREGROUND;

    /** Keeps an object until its dependents have lost their reference to it. */
    public static final String ORPHAN_FINALIZER = "orphan";

    /** Keeps an object until the dependents that block it are gone. */
    public static final String FOREGROUND_FINALIZER = "foregroundDeletion";

    /** The finalizers of an object whose deletion is asked for in this way. */
    List<String> finalizers(List<String> standing) {
        Propagation meant = this == UNSET ? saidBy(standing) : this;
        List<String> finalizers = new ArrayList<>(standing);
        finalizers.removeAll(List.of(ORPHAN_FINALIZER, FOREGROUND_FINALIZER));
        switch (meant) {
            case ORPHAN -> finalizers.add(ORPHAN_FINALIZER);
            case FOREGROUND -> finalizers.add(FOREGROUND_FINALIZER);
            case BACKGROUND, UNSET -> {}
        }
        return finalizers.size() == standing.size() && finalizers.containsAll(standing) ? standing : finalizers;
    }

    /** What the finalizers of an object say of its dependents; the first that says something counts. */
    public static Propagation saidBy(List<String> finalizers) {
        for (String finalizer : finalizers) {
            if (finalizer.equals(ORPHAN_FINALIZER)) {
                return ORPHAN;
            }
            if (finalizer.equals(FOREGROUND_FINALIZER)) {
                return FOREGROUND;
            }
        }
        return BACKGROUND;
    }
}
