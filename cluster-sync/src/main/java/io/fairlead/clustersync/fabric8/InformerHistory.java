package io.fairlead.clustersync.fabric8;

import io.fairlead.index.history.CachedObject;
import io.fairlead.index.history.InformerDecision;
import io.fairlead.index.history.InformerEvent;
import io.fairlead.index.history.InformerGuard;
import io.fairlead.index.history.WatchEventType;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * fabric8 passes ADDED, MODIFIED and DELETED to its store before it takes their version for its own, and bookmarks to
 * nothing: they only become that version. So a version of fabric8's that is neither the one at the last look nor that of
 * the event since is a bookmark. It is looked for before each event, on the thread on which fabric8 handles events in
 * order, so that a bookmark counts before the events after it.
 *
 * A watch that broke is resumed by fabric8 from the version of the last event, whatever that was: resume() corrects it.
 */
/** The history of one informer, between it and its store. Guarded by the store's lock. */
final class InformerHistory {
    private final Consumer<InformerDecision> travels;
    private final InformerGuard guard = new InformerGuard();
    private Supplier<@Nullable String> synced = () -> null;

    /** The informer's version at the last look. */
    private String seen = "";

    /** The version of the last event, which the informer takes over after it. */
    private String judged = "";

    /** @param travels receives each event that is behind one before it; must not block */
    InformerHistory(Consumer<InformerDecision> travels) {
        this.travels = travels;
    }

    /** Sets the informer, by its present version. */
    void follow(Supplier<@Nullable String> lastSyncResourceVersion) {
        synced = lastSyncResourceVersion;
    }

    void listing() {
        guard.listing();
    }

    void listed(String resourceVersion) {
        guard.listed(resourceVersion);
        seen = resourceVersion;
        judged = resourceVersion;
    }

    /** The newest version since the last complete list began; empty if there was none. */
    String highWater() {
        return guard.highWater();
    }

    /** Where a watch has to begin that fabric8 asks for. */
    String resume(String asked) {
        return guard.resume(asked);
    }

    /** Whether an event is to be applied. */
    boolean isApplied(InformerEvent event, @Nullable CachedObject cached) {
        judged = event.resourceVersion();
        return judge(event, cached) == InformerDecision.Action.APPLY;
    }

    /** The version of a bookmark that came since the last look, if it is newer than everything before. */
    Optional<String> bookmark() {
        String version = Claims.text(synced.get());
        if (version.isEmpty() || version.equals(seen) || version.equals(judged)) {
            return Optional.empty();
        }
        seen = version;
        InformerEvent bookmark = new InformerEvent(WatchEventType.BOOKMARK, "", version);
        return judge(bookmark, null) == InformerDecision.Action.APPLY ? Optional.of(version) : Optional.empty();
    }

    private InformerDecision.Action judge(InformerEvent event, @Nullable CachedObject cached) {
        InformerDecision decision = guard.judge(event, cached);
        if (decision.isTravel()) {
            travels.accept(decision);
        }
        return decision.action();
    }
}
