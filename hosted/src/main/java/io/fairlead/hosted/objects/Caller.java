package io.fairlead.hosted.objects;

import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.function.Consumer;

/**
 * On whose behalf something is written.
 *
 * @param user who asks
 * @param dryRun whether everything happens but the storing
 * @param warnings takes texts for {@code Warning} headers
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
