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
 * @param manager the name under which the fields that it writes are managed
 * @param warnings receives texts for {@code Warning} headers
 * @param work the memory for the objects
 */
public record Caller(
        UserInfo user, boolean isUserEverywhere, boolean dryRun, String manager, Consumer<String> warnings, Work work) {
    /** One of the cluster's own controllers. */
    public static Caller controller(String name) {
        return new Caller(OwnUser.of(name), true, false, OwnUser.FIELD_MANAGER, warning -> {}, Work.UNCOUNTED);
    }

    /**
     * Whether it is to be recorded who manages the objects that it creates. Not those of Fairlead's own: they are many, and the
     * first client that applies finds them without managers as objects of earlier versions are.
     */
    boolean recordsManagers() {
        return !OwnUser.is(user);
    }
}
