package io.fairlead.gateway.impersonate;

import io.fairlead.gateway.enter.Entered;
import io.fairlead.model.UserInfo;

/** A request of which is known as whom it acts in the cluster; only {@link Impersonation} makes one. */
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

    /** Whether the caller acts as nobody else. */
    public boolean isThemselves() {
        return user.equals(entered.identity().user());
    }

    /** Whom the cluster sees: the caller, or whom it may act as there. */
    public UserInfo user() {
        return user;
    }
}
