package io.fairlead.hosted.objects;

import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.function.Consumer;

/**
 * The originator of a write.
 *
 * @param user the requesting user
 * @param dryRun whether to do everything except store
 * @param warnings receives texts for {@code Warning} headers
 */
public record Caller(UserInfo user, boolean dryRun, Consumer<String> warnings) {
    /** One of the cluster's own controllers. */
    public static Caller controller(String name) {
        return new Caller(
                UserInfo.of("system:fairlead:" + name, List.of(UserInfo.MASTERS, UserInfo.AUTHENTICATED)),
                false,
                warning -> {});
    }
}
