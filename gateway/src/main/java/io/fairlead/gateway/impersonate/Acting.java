package io.fairlead.gateway.impersonate;

import io.fairlead.gateway.enter.Entered;
import io.fairlead.model.UserInfo;

/** A request whose effective user is known; only {@link Impersonation} makes one. */
public final class Acting {
    private final Entered entered;
    private final UserInfo user;

    Acting(Entered entered, UserInfo user) {
        this.entered = entered;
        this.user = user;
    }

    public Entered entered() {
        return entered;
    }

    /** Whether the caller does not impersonate. */
    public boolean isThemselves() {
        return user.equals(entered.identity().user());
    }

    /** The user that the cluster sees: the caller, or the impersonated user. */
    public UserInfo user() {
        return user;
    }
}
