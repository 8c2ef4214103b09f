package io.fairlead.hosted;

import io.fairlead.model.CallerName;
import io.fairlead.model.UserInfo;
import java.util.List;

/** The users that Fairlead itself is in hosted clusters: administrators, whom no client impersonates. */
public final class OwnUser {
    /** The name under which the fields that Fairlead itself writes are managed. */
    public static final String FIELD_MANAGER = "fairlead";

    private static final String PREFIX = "system:fairlead:";

    private OwnUser() {}

    /**
     * One of them.
     *
     * @param part of Fairlead that acts
     */
    public static UserInfo of(String part) {
        return UserInfo.of(PREFIX + part, List.of(UserInfo.MASTERS, UserInfo.AUTHENTICATED));
    }

    /** Whether a user is one of them. */
    public static boolean is(UserInfo user) {
        return user.name().startsWith(PREFIX) && user.groups().contains(UserInfo.MASTERS);
    }

    /** Whether a caller is one of them. */
    public static boolean is(CallerName caller) {
        return caller.realm() == null && caller.name().startsWith(PREFIX);
    }
}
