package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a watch.
 *
 * @param revision the revision after which it begins; 0 is the present one
 * @param initialEvents whether the current state comes first, ended by the annotated bookmark if bookmarks are allowed
 * @param bookmarks whether bookmarks are allowed
 * @param timeout after which it ends
 */
record WatchOptions(long revision, boolean initialEvents, boolean bookmarks, Duration timeout) {
    /** Longer than any connection lasts, and short enough to be counted in nanoseconds. */
    private static final long SECONDS_MAX = 10L * 365 * 24 * 60 * 60;

    private static final String NOT_OLDER_THAN = "NotOlderThan";

    static WatchOptions of(ApiRequest request, HostedSettings settings) {
        Duration timeout = timeout(request, settings);
        ReadVersion.number(request, "limit"); // which a watch has no use for
        String initial = request.parameter("sendInitialEvents");
        String match = ReadVersion.parameter(request, "resourceVersionMatch");
        long revision = ReadVersion.revision(request);
        boolean isLegacy = initial == null && match.isEmpty() && revision == 0;
        check(
                initial != null || isLegacy,
                isLegacy ? NOT_OLDER_THAN : match,
                ReadVersion.parameter(request, "continue"));
        return new WatchOptions(
                revision, isLegacy || isTrue(initial), isTrue(request.parameter("allowWatchBookmarks")), timeout);
    }

    /** As apimachinery does, after {@code SetListOptionsDefaults} ({@code ValidateListOptions}). */
    private static void check(boolean saysInitialEvents, String match, String token) {
        if (saysInitialEvents && !match.equals(NOT_OLDER_THAN)) {
            throw Refusals.invalid("meta.k8s.io", "ListOptions", "", wrongMatch(match));
        }
        if (!saysInitialEvents && !match.isEmpty()) {
            throw refuse(Causes.forbidden(
                    "resourceVersionMatch",
                    "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
        }
        if (saysInitialEvents && !token.isEmpty()) {
            throw refuse(Causes.forbidden(
                    "resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided"));
        }
    }

    private static List<Status.Cause> wrongMatch(String match) {
        List<Status.Cause> causes = new ArrayList<>();
        causes.add(Causes.forbidden(
                "resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        if (!match.isEmpty()) {
            causes.add(Causes.notSupported("resourceVersionMatch", match, List.of(NOT_OLDER_THAN)));
        }
        return causes;
    }

    private static Duration timeout(ApiRequest request, HostedSettings settings) {
        long seconds = ReadVersion.number(request, "timeoutSeconds");
        if (seconds != 0) {
            return Duration.ofSeconds(Math.clamp(seconds, 0, SECONDS_MAX));
        }
        long spread =
                ThreadLocalRandom.current().nextLong(settings.watchTimeoutMin().toMillis() + 1);
        return settings.watchTimeoutMin().plusMillis(spread);
    }

    /** As apimachinery reads a boolean parameter: there, and neither "false" nor "0"; one that is empty is true. */
    static boolean isTrue(@Nullable String value) {
        return value != null && !value.equalsIgnoreCase("false") && !value.equals("0");
    }

    private static RuntimeException refuse(Status.Cause cause) {
        return Refusals.invalidOptions("ListOptions", cause);
    }
}
