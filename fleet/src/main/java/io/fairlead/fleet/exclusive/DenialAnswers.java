package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.hosted.AdmissionHook.Review;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.KeyHash;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * What the writer of an object is told whose keys it cannot have. Which object has a key is said only to callers who may get that
 * object: others learn that there is one, as the rule's author wants them to.
 *
 * <p>Threads: any.
 */
final class DenialAnswers {
    private static final String HELD = "ExclusiveKeyHeld";
    private static final String NOT_RENDERED = "ExclusiveKeyNotRendered";
    private static final String TOO_MANY = "ExclusiveKeysTooMany";
    private static final String NOT_KNOWN = "ExclusiveKeysNotKnown";

    private final BiPredicate<UserInfo, ClusterName> mayEnter;
    private final Function<ClusterName, ClusterEntry> lookup;

    /** @param mayEnter whether a user of the gateway may enter a cluster */
    DenialAnswers(BiPredicate<UserInfo, ClusterName> mayEnter, Function<ClusterName, ClusterEntry> lookup) {
        this.mayEnter = mayEnter;
        this.lookup = lookup;
    }

    /** Another object has a key. */
    StatusException held(RuleSpec rule, KeyHash key, ObjectKey object, ObjectKey holder, Review write) {
        String by = maySee(rule, object, holder, write) ? "by \"" + ConflictText.name(holder) + "\"" : "elsewhere";
        return conflict(
                write,
                ExclusiveKeys.KIND + "/" + rule.name() + "/" + key + " is held " + by
                        + " (expected a key that no other object has)",
                HELD);
    }

    /** What its keys are is not known. */
    StatusException notRendered(RuleSpec rule, String problem, Review write) {
        return conflict(
                write,
                "the key that " + ExclusiveKeys.KIND + "/" + rule.name() + " asks for has no value: " + problem
                        + " (expected an object with a key, since one that another has is denied)",
                NOT_RENDERED);
    }

    /** Objects of the cluster claim more than it has room for. */
    StatusException tooMany(RuleSpec rule, ClusterName cluster, Review write) {
        String problem = "the objects of cluster \"" + cluster + "\" claim as many keys of " + ExclusiveKeys.KIND + "/"
                + rule.name() + " as there is room for (expected fewer objects, or fewer keys of each)";
        return new StatusException(new Status(
                403, "Forbidden", what(write) + " is forbidden: " + problem, details(write, problem, TOO_MANY, 0)));
    }

    /** Whether another object has a key is not known now. */
    StatusException unavailable(Review write, String problem) {
        return new StatusException(new Status(
                503,
                "ServiceUnavailable",
                what(write) + " cannot be stored now: " + problem + " (try again)",
                details(write, problem, NOT_KNOWN, 1)));
    }

    /** Another cluster does not know a user that is impersonated in this one, or that only this one knows. */
    private boolean maySee(RuleSpec rule, ObjectKey object, ObjectKey holder, Review write) {
        UserInfo user = write.user();
        boolean isNear = holder.cluster().equals(object.cluster());
        if (!isNear && !(write.isUserEverywhere() && mayEnter.test(user, holder.cluster()))) {
            return false;
        }
        return lookup.apply(holder.cluster()) instanceof ClusterEntry.Hosted hosted
                && hosted.cluster()
                                .authorize(
                                        user,
                                        RequestInfo.resource(
                                                "get", rule.resource(), holder.namespace(), holder.name(), ""))
                        instanceof Decision.Allowed;
    }

    private static StatusException conflict(Review write, String problem, String cause) {
        return new StatusException(new Status(
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + what(write) + ": " + problem,
                details(write, problem, cause, 0)));
    }

    private static String what(Review write) {
        return write.type().groupResource() + " \"" + write.name() + "\"";
    }

    private static Status.Details details(Review write, String problem, String cause, int retryAfterSeconds) {
        return new Status.Details(
                write.name(),
                write.type().group(),
                write.type().plural(),
                "",
                List.of(new Status.Cause(cause, problem, "")),
                retryAfterSeconds);
    }
}
