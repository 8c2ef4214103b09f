package io.fairlead.gateway.authn;

import io.fairlead.model.UserInfo;
import java.util.List;

/**
 * Kubernetes' own names, which begin with {@code system:}: neither issuers of tokens nor front proxies of the gateway give them.
 * Stateless; any thread.
 */
public final class SystemNames {
    private static final String PREFIX = "system:";

    private SystemNames() {}

    /** Whether a user has such a name. */
    public static boolean isOf(UserInfo user) {
        return user.name().startsWith(PREFIX);
    }

    /** The user without such groups, but for that of every authenticated user. */
    public static UserInfo without(UserInfo user) {
        List<String> groups = user.groups().stream()
                .filter(group -> !group.startsWith(PREFIX) || group.equals(UserInfo.AUTHENTICATED))
                .toList();
        return new UserInfo(user.name(), user.uid(), groups, user.extra());
    }
}
