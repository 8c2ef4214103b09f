package io.fairlead.hosted.objects;

import io.fairlead.model.CallerName;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.function.Consumer;

/**
 * The originator of a write.
 *
 * @param user the requesting user
 * @param isUserEverywhere whether the user has the same name and groups in other clusters
 * @param dryRun whether to do everything except store
 * @param warnings receives texts for {@code Warning} headers
 */
public record Caller(UserInfo user, boolean isUserEverywhere, boolean dryRun, Consumer<String> warnings) {
    private static final String OWN = "system:fairlead:";

    /** A user of an administrator's rights with such a name is Fairlead itself; no client impersonates one. */
    public static boolean isOwn(UserInfo user) {
        return user.name().startsWith(OWN) && user.groups().contains(UserInfo.MASTERS);
    }

    /** Whether a caller is Fairlead itself. */
    public static boolean isOwn(CallerName caller) {
        return caller.realm() == null && caller.name().startsWith(OWN);
    }

    /** One of the cluster's own controllers. */
    public static Caller controller(String name) {
        return new Caller(
                UserInfo.of(OWN + name, List.of(UserInfo.MASTERS, UserInfo.AUTHENTICATED)), true, false, warning -> {});
    }
}
