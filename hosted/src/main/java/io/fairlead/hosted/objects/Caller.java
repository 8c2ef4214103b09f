package io.fairlead.hosted.objects;

import io.fairlead.hosted.OwnUser;
import io.fairlead.model.UserInfo;
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
    /** One of the cluster's own controllers. */
    public static Caller controller(String name) {
        return new Caller(OwnUser.of(name), true, false, warning -> {});
    }
}
