package io.fairlead.gateway.impersonate;

import io.fairlead.gateway.enter.Entered;
import io.fairlead.model.UserInfo;
import org.jspecify.annotations.Nullable;

/** A request whose effective user is known; only {@link Impersonation} makes one. */
public final class Acting {
    private final Entered entered;
    private final @Nullable UserInfo impersonated;

    /**
     * @param impersonated the user of the {@code Impersonate-} headers, who may be the caller; null without them
     */
    Acting(Entered entered, @Nullable UserInfo impersonated) {
        this.entered = entered;
        this.impersonated = impersonated;
    }

    public Entered entered() {
        return entered;
    }

    /** Whether the caller does not impersonate: one who asks to be themselves does. */
    public boolean isThemselves() {
        return impersonated == null;
    }

    /** The user that the cluster sees: the caller, or the impersonated user. */
    public UserInfo user() {
        return impersonated == null ? entered.identity().user() : impersonated;
    }
}
