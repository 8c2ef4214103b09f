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

/**
 * The query parameters of a watch.
 *
 * @param revision the revision after which it begins, 0 for the current state
 * @param initialEvents whether the current state comes first, ended by the annotated bookmark
 * @param bookmarks whether bookmarks are allowed
 * @param timeout after which it ends
 */
record WatchOptions(long revision, boolean initialEvents, boolean bookmarks, Duration timeout) {
    static WatchOptions of(ApiRequest request, HostedSettings settings) {
        String initial = ReadVersion.parameter(request, "sendInitialEvents");
        String match = ReadVersion.parameter(request, "resourceVersionMatch");
        boolean bookmarks = isTrue(ReadVersion.parameter(request, "allowWatchBookmarks"));
        checkInitialEvents(initial, match, bookmarks);
        return new WatchOptions(ReadVersion.revision(request), isTrue(initial), bookmarks, timeout(request, settings));
    }

    private static void checkInitialEvents(String initial, String match, boolean bookmarks) {
        if (initial.isEmpty()) {
            if (!match.isEmpty()) {
                throw refuse(Causes.forbidden(
                        "resourceVersionMatch",
                        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
            }
            return;
        }
        if (!match.equals("NotOlderThan")) {
            throw Refusals.invalid("meta.k8s.io", "ListOptions", "", wrongMatch(match));
        }
        if (isTrue(initial) && !bookmarks) {
            throw refuse(Causes.forbidden(
                    "allowWatchBookmarks", "sendInitialEvents requires setting allowWatchBookmarks to true"));
        }
    }

    private static List<Status.Cause> wrongMatch(String match) {
        List<Status.Cause> causes = new ArrayList<>();
        causes.add(Causes.forbidden(
                "resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        if (!match.isEmpty()) {
            causes.add(Causes.notSupported("resourceVersionMatch", match, List.of("NotOlderThan")));
        }
        return causes;
    }

    private static Duration timeout(ApiRequest request, HostedSettings settings) {
        String text = ReadVersion.parameter(request, "timeoutSeconds");
        try {
            long seconds = text.isEmpty() ? 0 : Long.parseLong(text);
            if (seconds > 0) {
                return Duration.ofSeconds(seconds);
            }
        } catch (NumberFormatException e) {
            throw Refusals.badRequest("strconv.ParseInt: parsing \"" + text + "\": invalid syntax");
        }
        long spread =
                ThreadLocalRandom.current().nextLong(settings.watchTimeoutMin().toMillis() + 1);
        return settings.watchTimeoutMin().plusMillis(spread);
    }

    /** As apimachinery reads a boolean parameter: present and neither "false" nor "0". */
    static boolean isTrue(String value) {
        return !value.isEmpty() && !value.equalsIgnoreCase("false") && !value.equals("0");
    }

    private static RuntimeException refuse(Status.Cause cause) {
        return Refusals.invalidOptions("ListOptions", cause);
    }
}
