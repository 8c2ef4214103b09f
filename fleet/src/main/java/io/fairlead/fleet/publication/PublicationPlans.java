package io.fairlead.fleet.publication;

import io.fairlead.hosted.KindRules;
import io.fairlead.model.Status;
import io.fairlead.model.Status.Cause;
import io.fairlead.model.StatusException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers who creates an {@code APIPublicationPlan}, which is never stored: what a publication of its name and spec would do.
 *
 * <p>Threads: any virtual one; a plan blocks while targets answer.
 */
public final class PublicationPlans implements KindRules {
    /** Plans at a time: each asks many targets for much. */
    private static final int TOGETHER_MAX = 2;

    private final Semaphore permits = new Semaphore(TOGETHER_MAX);
    private final PublicationRules rules = new PublicationRules();
    private volatile @Nullable Publications publications;

    /** Plans from now on by what these see. */
    public void by(Publications seeing) {
        publications = seeing;
    }

    @Override
    public boolean countsGeneration() {
        return false;
    }

    /** Those of the publication, or of its change if there is one of that name. */
    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        Optional<ObjectNode> stored =
                planner().stored(object.at("/metadata/name").asString(""));
        return stored.map(before -> rules.validateUpdate(object, before)).orElseGet(() -> rules.validateCreate(object));
    }

    @Override
    public Optional<ObjectNode> review(ObjectNode object, boolean dryRun) {
        Planner planner = planner();
        if (!permits.tryAcquire()) {
            throw new StatusException(Status.withCause(
                    429,
                    "TooManyRequests",
                    "too many plans at a time (expected at most " + TOGETHER_MAX + ")",
                    "TooManyPlans",
                    1));
        }
        try {
            ObjectNode reviewed = object.deepCopy();
            reviewed.set("status", planner.plan(object));
            return Optional.of(reviewed);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.of(503, "ServiceUnavailable", "the server is being stopped"));
        } finally {
            permits.release();
        }
    }

    private Planner planner() {
        Publications seeing = publications;
        return Optional.ofNullable(seeing)
                .flatMap(Publications::planner)
                .orElseThrow(() -> new StatusException(Status.withCause(
                        503,
                        "ServiceUnavailable",
                        "publications were not looked at yet (expected a moment later)",
                        "NotLooked",
                        1)));
    }
}
